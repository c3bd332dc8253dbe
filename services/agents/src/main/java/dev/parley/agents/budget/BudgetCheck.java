package dev.parley.agents.budget;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of checking a call against one budget.
 *
 * @param scope the code of the budget's scope
 * @param fits whether the call fits in addition to all running calls
 * @param usedUp whether the budget is used up, regardless of running calls
 */
record BudgetCheck(String scope, boolean fits, boolean usedUp) {

    static List<BudgetCheck> all(ResultSet row) throws SQLException {
        var checks = new ArrayList<BudgetCheck>();
        while (row.next()) {
            checks.add(new BudgetCheck(row.getString(1), row.getBoolean(2), row.getBoolean(3)));
        }
        return checks;
    }
}
