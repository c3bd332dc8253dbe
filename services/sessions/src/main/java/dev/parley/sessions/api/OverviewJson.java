package dev.parley.sessions.api;

import dev.parley.platform.http.TurnJson.UsageJson;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The last 24 hours of a project, and what is running now.
 *
 * @param turns Number of turns by state: open ones, and those accepted in the last 24 hours.
 * @param failures Number of failed turns by error type.
 * @param unpriced Number of model calls whose price is unknown.
 * @param hours The hours, oldest first, without empty ones.
 * @param models The models used, by descending failures.
 * @param tools The tools used, by descending failures.
 * @param open The longest-running open turns.
 * @param strayApprovals Number of pending approvals of ended turns; a bug if not 0.
 */
@Serdeable
@Schema(name = "Overview")
record OverviewJson(
        Instant since,
        Map<String, Long> turns,
        Map<String, Long> failures,

        @Schema(description = "Usage, summed over all model calls of the last 24 hours.")
        UsageJson usage,

        long unpriced,
        Lag lag,
        List<Hour> hours,
        List<ModelUse> models,
        List<ToolFigures> tools,
        List<OpenTurn> open,
        long strayApprovals) {

    /**
     * The lag of this instance's views.
     *
     * @param problem Reason why the views are stuck, or null.
     */
    @Serdeable
    @Schema(name = "Lag")
    record Lag(long records, double seconds, @Nullable String problem) {}

    /** The turns accepted in one hour, by result. */
    @Serdeable
    @Schema(name = "OverviewHour")
    record Hour(Instant at, long completed, long failed, long cancelled, long open) {}

    /** The use of a model: calls, failed attempts, tokens, and cost in dollars. */
    @Serdeable
    @Schema(name = "OverviewModel")
    record ModelUse(
            @Nullable String provider, @Nullable String model, long calls, long failed, long tokens, BigDecimal cost) {}

    /** The use of a tool: calls, failures, and percentiles of the duration. */
    @Serdeable
    @Schema(name = "OverviewTool")
    record ToolFigures(String tool, long calls, long failed, long unknown, double p50Seconds, double p95Seconds) {}

    /** An open turn. */
    @Serdeable
    @MappedEntity(value = "agent_turn_t", schema = "sessions")
    @Schema(name = "OverviewTurn")
    record OpenTurn(@Id UUID turn, String session, String state, Instant createdAt) {}
}
