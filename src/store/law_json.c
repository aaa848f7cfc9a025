// SPDX-License-Identifier: GPL-2.0-or-later
/* law_json.c - scaling laws in a run's document; derived from its slots, so never read back. */
#include "store/law.h"

#include "store/record_json.h"

#include <math.h>

static json_t *number_or_null(double number)
{
	return isfinite(number) ? json_real(number) : json_null();
}

static json_t *points_to_json(const struct law *law)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < law->n_points; i++) {
		const struct law_point *point = &law->points[i];
		json_t *object =
			json_pack("{s:I, s:f, s:o}", "copies", (json_int_t)point->copies, "rate",
				  point->rate, "curve", estimate_to_json(&point->curve));

		if (json_array_append_new(array, object)) {
			json_decref(array);
			array = NULL;
		}
	}
	return array;
}

static const char *law_reason(const struct law *law)
{
	if (!isfinite(law->fit.lambda))
		return "no law comes near the rates";
	return law->fit.unproven ? "as many copy counts as parameters: any rates would fit" : NULL;
}

static const char *peak_reason(const struct law *law)
{
	if (isfinite(law->fit.peak_n))
		return NULL;
	return isfinite(law->fit.lambda) ? "the law only grows" : "no law";
}

static json_t *law_to_json(const struct law *law)
{
	const struct scaling_law *fit = &law->fit;

	return json_pack("{s:s, s:s?, s:o, s:o, s:o, s:o, s:b, s:s?, s:o, s:o, s:s?, s:o}", "test",
			 law->test, "unit", law->unit, "lambda", number_or_null(fit->lambda),
			 "sigma", number_or_null(fit->sigma), "kappa", number_or_null(fit->kappa),
			 "relative_rmse", number_or_null(fit->relative_rmse), "fits", fit->fits,
			 "reason", law_reason(law), "peak_copies", number_or_null(fit->peak_n),
			 "peak_rate", number_or_null(fit->peak_rate), "peak_reason",
			 peak_reason(law), "points", points_to_json(law));
}

json_t *laws_to_json(const struct run *run)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < run->n_laws; i++) {
		if (json_array_append_new(array, law_to_json(&run->laws[i]))) {
			json_decref(array);
			array = NULL;
		}
	}
	return array;
}
