package dev.parley.tools.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.access.TimeZones;
import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/** The tool {@code time}: returns the current time. */
public final class TimeTool implements Tool {
    private static final ToolSpec SPEC = new ToolSpec(
                    "time",
                    "Returns the current date and time in ISO 8601, with the time zone.",
                    """
                    {"type":"object","properties":{"zone":{"type":"string",\
                    "description":"IANA time zone, such as Europe/Vienna. Defaults to the user's zone."}},\
                    "additionalProperties":false}\
                    """,
                    ToolEffect.IDEMPOTENT,
                    Duration.ofSeconds(10))
            .with(ToolAccess.READ);

    private final Clock clock;
    private final TimeZones zones;

    /** @param zones used where a call names none */
    public TimeTool(Clock clock, TimeZones zones) {
        this.zones = zones;
        this.clock = clock;
    }

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) {
        JsonNode zone = arguments.get("zone");
        try {
            var in = zone == null ? zones.of(call.host(), call.user()) : ZoneId.of(zone.asText());
            var now = clock.instant().truncatedTo(ChronoUnit.SECONDS).atZone(in);
            return ToolOutput.of(DateTimeFormatter.ISO_ZONED_DATE_TIME.format(now));
        } catch (DateTimeException e) {
            return new ToolOutput.Failed("there is no time zone '" + zone.asText() + "'");
        }
    }
}
