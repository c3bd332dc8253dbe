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
 * Filters by business keys in the query of a process list: {@code partyId=7}, and for times {@code eventStartFrom} and
 * {@code eventStartTo}.
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

    /** @throws ApiException 400 for an unknown parameter or an invalid value */
    static BusinessFilters of(HttpParameters parameters) {
        var filters = new BusinessFilters(new LinkedHashMap<>(), new LinkedHashMap<>());
        parameters.asMap().forEach((name, values) -> {
            if (!PARAMETERS.contains(name)) {
                filters.add(name, values.getFirst());
            }
        });
        return filters;
    }

    private void add(String name, String value) {
        if (name.endsWith(FROM)) {
            addBound(name, FROM, " >=", value);
        } else if (name.endsWith(TO)) {
            addBound(name, TO, " <", value);
        } else {
            addEqual(name, value);
        }
    }

    private void addBound(String name, String suffix, String comparison, String value) {
        BusinessKeys.Key key = BusinessKeys.of(name.substring(0, name.length() - suffix.length()))
                .filter(found -> found.kind() == BusinessKeys.Kind.TIME)
                .orElseThrow(() -> unknown(name));
        Instant time = BusinessKeys.time(value)
                .orElseThrow(() -> ApiException.badRequest(
                        "invalid_time", "'" + name + "' is a time such as 2026-03-01T09:30:00Z"));
        times.put(key.column() + comparison, time);
    }

    private void addEqual(String name, String value) {
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
        equal.put(key.column(), bound);
    }

    private static ApiException unknown(String name) {
        return ApiException.badRequest("unknown_parameter", "'" + name + "' is neither a parameter nor a business key");
    }
}
