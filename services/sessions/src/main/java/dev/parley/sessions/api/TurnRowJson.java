package dev.parley.sessions.api;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.database.Columns;
import dev.parley.platform.http.TurnJson;
import dev.parley.platform.http.TurnJson.ErrorJson;
import dev.parley.platform.http.TurnJson.GuardrailJson;
import dev.parley.platform.http.TurnJson.UsageJson;
import dev.parley.sessions.JsonColumns;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps a row of a turn to {@link TurnJson}, the form in which channels answer. */
final class TurnRowJson {
    static final String COLUMNS = """
            t.turn_id, t.turn_seq, t.state, t.user_message, t.reply, t.error_type, t.error_message, t.provider_id,
            t.model_id, t.tokens_input, t.tokens_output, t.tokens_reasoning, t.tokens_cache_read, t.tokens_cache_write,
            t.cost, t.created_ts, t.completed_ts, t.guardrails, s.session_key
            """;

    /** For lists that do not show texts: the first 200 characters of the message, and no reply. */
    static final String SHORT_COLUMNS = COLUMNS.replace(
            "t.user_message, t.reply", "left(t.user_message, 200) AS user_message, NULL::text AS reply");

    private TurnRowJson() {}

    static TurnJson of(ResultSet row) throws SQLException {
        var state = TurnState.valueOf(row.getString("state"));
        String message = row.getString("error_message");
        String reply = state == TurnState.FAILED ? message : row.getString("reply");
        return new TurnJson(
                Columns.uuid(row, "turn_id"),
                row.getString("session_key"),
                row.getLong("turn_seq"),
                state,
                row.getString("user_message"),
                reply == null ? "" : reply,
                error(row.getString("error_type"), message),
                model(row.getString("provider_id"), row.getString("model_id")),
                usage(row, "", "cost"),
                Columns.timeOrNull(row, "created_ts"),
                Columns.timeOrNull(row, "completed_ts"),
                guardrails(row),
                null);
    }

    private static @Nullable List<GuardrailJson> guardrails(ResultSet row) throws SQLException {
        List<Map<String, Object>> guardrails = JsonColumns.json(row, "guardrails", new TypeReference<>() {});
        return guardrails == null
                ? null
                : guardrails.stream()
                        .map(guardrail -> new GuardrailJson(
                                String.valueOf(guardrail.get("stage")),
                                ((Number) guardrail.getOrDefault("step", 0)).intValue(),
                                String.valueOf(guardrail.get("guardrail")),
                                String.valueOf(guardrail.get("action")),
                                String.valueOf(guardrail.get("reason")),
                                Instant.parse(String.valueOf(guardrail.get("at")))))
                        .toList();
    }

    static @Nullable ErrorJson error(@Nullable String type, @Nullable String message) {
        return type == null ? null : new ErrorJson(type, message == null ? type : message);
    }

    private static @Nullable String model(@Nullable String provider, @Nullable String model) {
        return model == null ? null : provider + "/" + model;
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
