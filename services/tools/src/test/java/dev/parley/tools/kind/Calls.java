package dev.parley.tools.kind;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.RecordKey;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.clock.Deadline;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.power.Grant;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.PowerGrants;
import dev.parley.platform.worker.Cancellation;
import dev.parley.tools.ToolCallContext;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Calls of defined tools, and the JSON that they are given. */
public final class Calls {
    private static final ObjectMapper JSON = JsonMappers.shared();

    private Calls() {}

    /** The project of the calls. */
    public static final CatalogueScope PROJECT = new CatalogueScope(
            AccessDirectory.DEFAULT_HOST, RecordKey.of("web:1").projectId());

    /** Grants to the host and project of the calls, and to nobody else. */
    public static PowerGrants granting(Power... powers) {
        return new PowerGrants(Stream.of(powers).collect(Collectors.toMap(power -> power, _ -> Grant.UNNAMED)), true);
    }

    /** A call that has a minute. */
    public static ToolCallContext call() {
        return call(Duration.ofMinutes(1));
    }

    /** A call that has this long. */
    public static ToolCallContext call(Duration time) {
        return call(new Cancellation(Deadline.in(time)));
    }

    /** A call that can be cancelled. */
    public static ToolCallContext call(Cancellation cancellation) {
        return call(cancellation, null);
    }

    /**
     * A call in somebody's turn.
     *
     * @param user null where nobody is known
     */
    public static ToolCallContext by(@Nullable String user) {
        return call(new Cancellation(Deadline.in(Duration.ofMinutes(1))), user);
    }

    private static ToolCallContext call(Cancellation cancellation, @Nullable String user) {
        return new ToolCallContext(
                UUID.randomUUID(),
                AccessDirectory.DEFAULT_HOST,
                RecordKey.of("web:1"),
                UUID.randomUUID(),
                UUID.randomUUID(),
                UUID.randomUUID(),
                0,
                1,
                "default",
                user,
                cancellation.deadline().instant(),
                List.of(),
                null,
                cancellation);
    }

    /** JSON; single quotes are as good as double ones. */
    public static JsonNode json(String text) {
        return JsonMappers.tree(text.replace('\'', '"'));
    }

    /** An object with one text. */
    public static JsonNode json(String name, String text) {
        return JSON.createObjectNode().put(name, text);
    }
}
