package dev.parley.agents.budget;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether a call has room in one budget.
 *
 * @param scope its code
 * @param usedUp whether there would be none either if it were the only call
 */
record BudgetCheck(String scope, boolean fits, boolean usedUp) {

    static List<BudgetCheck> all(ResultSet row) throws SQLException {
        var rooms = new ArrayList<BudgetCheck>();
        while (row.next()) {
            rooms.add(new BudgetCheck(row.getString(1), row.getBoolean(2), row.getBoolean(3)));
        }
        return rooms;
    }
}
