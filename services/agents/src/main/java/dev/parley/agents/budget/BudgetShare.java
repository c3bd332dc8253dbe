package dev.parley.agents.budget;

import dev.parley.domain.budget.BudgetScope;
import dev.parley.domain.budget.SpendingLimit;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.budget.BudgetJson;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A host, project or user that a call is charged to.
 *
 * @param budget the current budget, or null for none
 */
public record BudgetShare(
        BudgetScope scope, UUID id, @Nullable SpendingLimit budget) {

    /** All shares of a call, in the order of scopes. Channel users have no account, and so no budget. */
    static List<BudgetShare> of(Call call, AccessDirectory directory) {
        var shares = new ArrayList<BudgetShare>();
        shares.add(of(directory, call.host(), BudgetScope.HOST, call.host()));
        shares.add(of(directory, call.host(), BudgetScope.PROJECT, call.project()));
        if (call.user() != null) {
            shares.add(of(directory, call.host(), BudgetScope.USER, call.user()));
        }
        return List.copyOf(shares);
    }

    static BudgetShare of(AccessDirectory directory, UUID host, BudgetScope scope, UUID id) {
        return new BudgetShare(
                scope, id, BudgetJson.of(directory, host, scope, id).orElse(null));
    }

    boolean boundsCalls() {
        return budget != null && budget.boundsCalls();
    }

    boolean boundsMoney() {
        return budget != null && budget.nanos() != null;
    }
}
