package dev.parley.control.settings;

import dev.parley.control.http.Checks;
import dev.parley.control.http.JsonColumns;
import dev.parley.domain.budget.BudgetScope;
import dev.parley.domain.budget.SpendingLimit;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.budget.BudgetJson;
import io.micronaut.json.tree.JsonNode;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

final class BudgetValidation {
    private BudgetValidation() {}

    /** The fault of a value, for people; empty for a valid one. */
    static Optional<String> fault(JsonNode value) {
        try {
            BudgetJson.read(JsonColumns.text(value));
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** @throws dev.parley.platform.http.ApiException 400 where it is invalid */
    static SpendingLimit parse(JsonNode value) {
        try {
            return BudgetJson.read(JsonColumns.text(value));
        } catch (IllegalArgumentException e) {
            throw Checks.invalid(BudgetScope.SETTING, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Limits of different periods are not compared: the host's budget applies in any case.
     *
     * @throws dev.parley.platform.http.ApiException 400 where a project would exceed its host
     */
    static void withinHosts(SpendingLimit requested, AccessDirectory directory, UUID host) {
        SpendingLimit max =
                BudgetJson.of(directory, host, BudgetScope.HOST, host).orElse(null);
        if (max == null) {
            return;
        }
        boolean comparable = requested.period() == max.period();
        if ((comparable && (exceeds(requested.nanos(), max.nanos()) || exceeds(requested.tokens(), max.tokens())))
                || exceeds(requested.turnsPerMinute(), max.turnsPerMinute())) {
            throw Checks.invalid(BudgetScope.SETTING, "must not exceed the host's");
        }
    }

    private static boolean exceeds(@Nullable Number requested, @Nullable Number max) {
        return requested != null && max != null && requested.longValue() > max.longValue();
    }
}
