package dev.parley.sessions.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.platform.http.TurnJson.UsageJson;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
@Schema(name = "Overview", description = "The last 24 hours of a project, and what goes on now.")
record OverviewJson(
        Instant since,

        @Schema(description = "Turns by state: those that go on, and those accepted since then.")
        Map<String, Long> turns,

        @Schema(description = "Failed turns by error type.") Map<String, Long> failures,

        @Schema(description = "What the model calls used.") UsageJson usage,

        @Schema(description = "Model calls whose price is not known.")
        long unpriced,

        Lag lag,

        @Schema(description = "The hours, the oldest first, without those in which nothing happened.")
        List<Hour> hours,

        @Schema(description = "The models that were asked, the most failures first.")
        List<ModelUse> models,

        @Schema(description = "The tools that were used, the most failures first.")
        List<ToolFigures> tools,

        @Schema(description = "The turns that go on for longest.")
        List<OpenTurn> open,

        @Schema(
                description =
                        "Questions about tools that still stand though their turn has ended: a fault where it is not 0.")
        long strayApprovals) {

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "Lag", description = "How far this instance's views are behind.")
    record Lag(
            long records,
            double seconds,

            @Schema(description = "Why they do not go on, or null.") @Nullable
            String problem) {}

    /** What happened in an hour. */
    @Serdeable
    @Schema(name = "OverviewHour", description = "An hour: the turns that were accepted in it by what became of them.")
    record Hour(Instant at, long completed, long failed, long cancelled, long open) {}

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "OverviewModel", description = "How a model was used: calls, attempts that failed, tokens, dollars.")
    record ModelUse(
            @Nullable String provider, @Nullable String model, long calls, long failed, long tokens, BigDecimal cost) {}

    @Serdeable
    @Schema(
            name = "OverviewTool",
            description = "How a tool was used: calls, those that failed, and how long half of them took at most.")
    record ToolFigures(String tool, long calls, long failed, long unknown, double p50Seconds, double p95Seconds) {}

    @Serdeable
    @Schema(name = "OverviewTurn", description = "A turn that goes on.")
    record OpenTurn(UUID turn, String session, String state, Instant createdAt) {}
}
