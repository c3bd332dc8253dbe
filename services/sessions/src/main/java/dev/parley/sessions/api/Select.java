package dev.parley.sessions.api;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SQL that grows by conditions; values are bound, never part of the text. */
final class Select {
    private final StringBuilder sql;
    private final List<@Nullable Object> values = new ArrayList<>();

    Select(String sql, @Nullable Object... bound) {
        this.sql = new StringBuilder(sql.stripTrailing());
        values.addAll(java.util.Arrays.asList(bound));
    }

    /** One more piece, with its values. */
    Select with(String more, @Nullable Object... bound) {
        sql.append('\n').append(more);
        values.addAll(java.util.Arrays.asList(bound));
        return this;
    }

    /** One more piece, where the value is given. */
    Select withIf(@Nullable Object value, String more) {
        return value == null ? this : with(more, value);
    }

    String sql() {
        return sql.toString();
    }

    List<@Nullable Object> values() {
        return values;
    }
}
