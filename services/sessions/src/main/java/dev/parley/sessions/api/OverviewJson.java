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

@Serdeable
@Schema(name = "Overview", description = "The last 24 hours of a project, and what is running now.")
record OverviewJson(
        Instant since,

        @Schema(description = "Number of turns by state: open ones, and those accepted in the last 24 hours.")
        Map<String, Long> turns,

        @Schema(description = "Number of failed turns by error type.")
        Map<String, Long> failures,

        @Schema(description = "Usage, summed over all model calls of the last 24 hours.")
        UsageJson usage,

        @Schema(description = "Number of model calls whose price is unknown.")
        long unpriced,

        Lag lag,

        @Schema(description = "The hours, oldest first, without empty ones.")
        List<Hour> hours,

        @Schema(description = "The models used, by descending failures.")
        List<ModelUse> models,

        @Schema(description = "The tools used, by descending failures.")
        List<ToolFigures> tools,

        @Schema(description = "The longest-running open turns.")
        List<OpenTurn> open,

        @Schema(description = "Number of pending approvals of ended turns; a bug if not 0.")
        long strayApprovals) {

    @Serdeable
    @Schema(name = "Lag", description = "The lag of this instance's views.")
    record Lag(
            long records,
            double seconds,

            @Schema(description = "Reason why the views are stuck, or null.") @Nullable
            String problem) {}

    /** Figures of one hour. */
    @Serdeable
    @Schema(name = "OverviewHour", description = "The turns accepted in one hour, by result.")
    record Hour(Instant at, long completed, long failed, long cancelled, long open) {}

    @Serdeable
    @Schema(
            name = "OverviewModel",
            description = "The use of a model: calls, failed attempts, tokens, and cost in dollars.")
    record ModelUse(
            @Nullable String provider, @Nullable String model, long calls, long failed, long tokens, BigDecimal cost) {}

    @Serdeable
    @Schema(name = "OverviewTool", description = "The use of a tool: calls, failures, and percentiles of the duration.")
    record ToolFigures(String tool, long calls, long failed, long unknown, double p50Seconds, double p95Seconds) {}

    @Serdeable
    @MappedEntity(value = "agent_turn_t", schema = "sessions")
    @Schema(name = "OverviewTurn", description = "An open turn.")
    record OpenTurn(@Id UUID turn, String session, String state, Instant createdAt) {}
}
