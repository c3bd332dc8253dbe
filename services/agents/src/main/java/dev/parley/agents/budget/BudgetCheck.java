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
record Room(String scope, boolean fits, boolean usedUp) {

    static List<Room> all(ResultSet row) throws SQLException {
        var rooms = new ArrayList<Room>();
        while (row.next()) {
            rooms.add(new Room(row.getString(1), row.getBoolean(2), row.getBoolean(3)));
        }
        return rooms;
    }
}
