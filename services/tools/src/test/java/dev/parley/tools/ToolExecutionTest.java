package dev.parley.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.turn.CallResult.ToolAnswered;
import dev.parley.domain.turn.ToolEffect;
import dev.parley.domain.turn.ToolSpec;
import dev.parley.domain.turn.ToolStatus;
import dev.parley.platform.worker.CallContext;
import dev.parley.platform.worker.Cancellation;
import dev.parley.tools.builtin.BuiltinTools;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class ToolExecutionTest {
    private final CountingTool counting = new CountingTool("count", ToolEffect.IDEMPOTENT);

    private ToolAnswered run(String tool, String arguments, Tool... more) throws Exception {
        var tools =
                new ArrayList<>(BuiltinTools.all(Clock.fixed(Instant.parse("2026-03-01T12:00:00Z"), ZoneOffset.UTC)));
        tools.add(counting);
        tools.addAll(List.of(more));
        var calls = new ToolCalls(new ToolRegistry(tools, false), null);
        return (ToolAnswered)
                calls.begin(ToolRequests.call(tool, arguments), new CallContext("k", null, new Cancellation()))
                        .run();
    }

    private static Tool returning(ToolOutput output) {
        return new Tool() {
            @Override
            public ToolSpec spec() {
                return new ToolSpec("given", "", "{\"type\":\"object\"}", ToolEffect.IDEMPOTENT, Duration.ofMinutes(1));
            }

            @Override
            public ToolOutput run(ToolCallContext call, JsonNode arguments) {
                return output;
            }
        };
    }

    @Test
    void echoAndTimeAnswer() throws Exception {
        assertEquals("hi \"you\"", run("echo", "{\"text\":\"hi \\\"you\\\"\"}").content());
        assertEquals("2026-03-01T12:00:00Z", run("time", "{}").content());
        assertEquals(
                "2026-03-01T13:00:00+01:00",
                run("time", "{\"zone\":\"Europe/Vienna\"}").content());
        assertEquals(
                "error: there is no time zone 'Mars'",
                run("time", "{\"zone\":\"Mars\"}").content());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"n\":\"three\"}|n|integer",
                "{\"m\":1}|'m'|not",
                "[1]|no JSON object|",
                "{\"n\":|no JSON|",
            })
    @Tag("I89")
    @Tag("K3")
    void badArgumentsAreAnErrorThatNamesTheFieldAndTheToolDoesNotRun(String arguments, String field, String why)
            throws Exception {
        ToolAnswered answer = run("count", arguments);
        assertEquals(ToolStatus.ERROR, answer.status());
        assertTrue(answer.content().startsWith("error: "), answer.content());
        assertTrue(
                answer.content().contains(field) && answer.content().contains(why == null ? "" : why),
                answer.content());
        assertEquals(0, counting.runs.get());
    }

    @Test
    @Tag("P38")
    void whatGoesWrongIsAnErrorForTheModel() throws Exception {
        assertEquals("error: connection reset", run("count", "{\"fail\":true}").content());
        assertEquals(
                "error: there is no tool 'nothing' here", run("nothing", "{}").content());
        assertEquals(
                "error: no paper",
                run("given", "{}", returning(new ToolOutput.Failed("no paper"))).content());
    }

    @Test
    void binaryIsRefusedPolitely() throws Exception {
        assertEquals(
                "error: the tool returned 5,000 bytes of image/png, which cannot be shown here",
                run("given", "{}", returning(new ToolOutput.Binary("image/png", 5_000)))
                        .content());
        assertEquals(
                ToolStatus.ERROR,
                run("given", "{}", returning(ToolOutput.of("PK\0\0"))).status());
    }

    @Test
    void withoutALedgerOnlyIdempotentToolsAreOffered() {
        var tools = List.of(counting, new CountingTool("once", ToolEffect.AT_MOST_ONCE));
        assertEquals(
                List.of("count"),
                new ToolRegistry(tools, false)
                        .specs().stream().map(ToolSpec::name).toList());
        assertEquals(
                List.of("count", "once"),
                new ToolRegistry(tools, true)
                        .specs().stream().map(ToolSpec::name).toList());
    }

    @Test
    void namesAreUniqueAndNotParleysOwn() {
        assertThrows(IllegalArgumentException.class, () -> new ToolRegistry(List.of(counting, counting), false));
        assertThrows(
                IllegalArgumentException.class,
                () -> new ToolRegistry(List.of(new CountingTool("delegate", ToolEffect.IDEMPOTENT)), false));
    }
}
