package dev.parley.workflows.api;

import dev.parley.platform.http.ApiException;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.process.BusinessKeys;
import io.micronaut.http.HttpParameters;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Filters by business keys in the query of a process list: {@code partyId=7}, and for times {@code eventStartFrom} and {@code eventStartTo}.
 *
 * @param equal required values by column
 * @param times bounds by column and comparison, such as {@code event_start_ts >=}
 */
record BusinessFilters(Map<String, Object> equal, Map<String, Instant> times) {
    /** Query parameters that are not business keys. */
    private static final Set<String> PARAMETERS = Set.of(
            "project status phase definition parentId instanceId overdue from to fresh data limit cursor".split(" "));

    private static final String FROM = "From";
    private static final String TO = "To";

    /** @throws ApiException 400 for an unknown parameter */
    static BusinessFilters of(HttpParameters parameters) {
        var equal = new LinkedHashMap<String, Object>();
        var times = new LinkedHashMap<String, Instant>();
        parameters.asMap().forEach((name, values) -> {
            if (!PARAMETERS.contains(name)) {
                filter(name, values.getFirst(), equal, times);
            }
        });
        return new BusinessFilters(equal, times);
    }

    private static void filter(String name, String value, Map<String, Object> business, Map<String, Instant> times) {
        boolean from = name.endsWith(FROM);
        if (from || name.endsWith(TO)) {
            String of = name.substring(0, name.length() - (from ? FROM : TO).length());
            BusinessKeys.Key key = BusinessKeys.of(of)
                    .filter(found -> found.kind() == BusinessKeys.Kind.TIME)
                    .orElseThrow(() -> unknown(name));
            times.put(
                    key.column() + (from ? " >=" : " <"),
                    BusinessKeys.time(value)
                            .orElseThrow(() -> ApiException.badRequest(
                                    "invalid_time", "'" + name + "' is a time such as 2026-03-01T09:30:00Z")));
            return;
        }
        BusinessKeys.Key key = BusinessKeys.of(name).orElseThrow(() -> unknown(name));
        List<String> errors = BusinessKeys.errors(Json.of(name, Json.of(value)));
        if (!errors.isEmpty()) {
            throw ApiException.badRequest("invalid_parameter", errors.getFirst());
        }
        Object bound = switch (key.kind()) {
            case TEXT, CURRENCY -> value;
            case TIME -> BusinessKeys.time(value).orElseThrow();
            case NUMBER -> BusinessKeys.number(value).orElseThrow();
        };
        business.put(key.column(), bound);
    }

    private static ApiException unknown(String name) {
        return ApiException.badRequest("unknown_parameter", "'" + name + "' is neither a parameter nor a business key");
    }
}
