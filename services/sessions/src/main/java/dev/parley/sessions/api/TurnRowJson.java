package dev.parley.sessions.api;

import dev.parley.domain.protocol.Usage;
import dev.parley.platform.http.TurnJson.ErrorJson;
import dev.parley.platform.http.TurnJson.UsageJson;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Errors and usage as turns, messages and model calls show them. */
final class TurnRowJson {
    private TurnRowJson() {}

    static @Nullable ErrorJson error(@Nullable String type, @Nullable String message) {
        return type == null ? null : new ErrorJson(type, message == null ? type : message);
    }

    static UsageJson usage(ResultSet row, String prefix, String costColumn) throws SQLException {
        BigDecimal cost = row.getBigDecimal(costColumn);
        return UsageJson.of(new Usage(
                row.getLong(prefix + "tokens_input"),
                row.getLong(prefix + "tokens_output"),
                row.getLong(prefix + "tokens_reasoning"),
                row.getLong(prefix + "tokens_cache_read"),
                row.getLong(prefix + "tokens_cache_write"),
                cost == null ? null : cost.movePointRight(9).longValue()));
    }
}
