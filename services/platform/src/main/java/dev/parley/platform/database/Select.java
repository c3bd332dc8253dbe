package dev.parley.platform.database;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builder for SQL with optional conditions; values are bound, never part of the text. */
public final class Select {
    private final StringBuilder sql;
    private final List<@Nullable Object> values = new ArrayList<>();

    public Select(String sql, @Nullable Object... bound) {
        this.sql = new StringBuilder(sql.stripTrailing());
        values.addAll(Arrays.asList(bound));
    }

    /** Appends a clause with its values. */
    public Select with(String clause, @Nullable Object... bound) {
        sql.append('\n').append(clause);
        values.addAll(Arrays.asList(bound));
        return this;
    }

    /** Appends a clause if its value is not null. */
    public Select withIf(@Nullable Object value, String clause) {
        return value == null ? this : with(clause, value);
    }

    /** The statement, with a question mark for each value. */
    public String sql() {
        return sql.toString();
    }

    /** The bound values in order. */
    public List<@Nullable Object> values() {
        return Collections.unmodifiableList(values);
    }
}
