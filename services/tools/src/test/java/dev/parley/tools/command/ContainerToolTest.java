package dev.parley.tools.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.platform.config.ContainersConfig;
import dev.parley.platform.json.JsonMappers;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.kind.Calls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Containers of workflows. A script with the same command line replaces the engine; it records its calls and runs the
 * command on this machine.
 */
@Tag("W29")
class ContainerToolTest {
    private static final String ENGINE = """
            #!/bin/sh
            echo "$@" >> %1$s/calls
            [ "$1" = rm ] && exit 0
            for word in "$@"; do
              [ "$before" = --env-file ] && cp "$word" %1$s/environment
              before=$word
            done
            while [ "$1" != -c ] && [ $# -gt 0 ]; do shift; done
            [ $# -gt 0 ] || exit 125
            exec env -i $(cat %1$s/environment) PATH="$PATH" /bin/sh "$@"
            """;

    @TempDir
    Path folder;

    private ContainerTool tool;

    @BeforeEach
    void engine() throws IOException {
        Path program = Files.writeString(folder.resolve("engine"), ENGINE.formatted(folder));
        assertTrue(program.toFile().setExecutable(true));
        tool = new ContainerTool(new ContainersConfig(program.toString(), List.of("alpine"), "none", "64m", "0.5"));
    }

    private static ObjectNode container(String command) {
        return JsonMappers.shared()
                .createObjectNode()
                .put("image", "alpine")
                .put("pull", "missing")
                .put("command", command)
                .put("idempotencyKey", "key-1");
    }

    private JsonNode run(JsonNode arguments) throws IOException {
        ToolOutput output = tool.run(Calls.call(), arguments);
        return JsonMappers.tree(assertInstanceOf(ToolOutput.Text.class, output, output.toString())
                .text());
    }

    private String calls() throws IOException {
        return Files.readString(folder.resolve("calls"));
    }

    @Test
    void passesArgumentsInputAndEnvironmentAndReturnsBothOutputs() throws IOException {
        // Given
        ObjectNode arguments = container(
                        "input=$(cat); echo \"$input $1 $2 $UNIT $IDEMPOTENCY_KEY\"; echo oh >&2; exit 3")
                .put("stdin", "Hello");
        arguments.putArray("arguments").add("Foo").add("-v /:/host");
        arguments.putObject("environment").put("UNIT", "m");

        // When
        JsonNode result = run(arguments);

        // Then
        assertEquals("Hello Foo -v /:/host m key-1\n", result.get("stdout").asText());
        assertEquals("oh\n", result.get("stderr").asText());
        assertEquals(3, result.get("code").asInt());
        assertFalse(calls().contains("--force"), "the engine removes it by itself");
    }

    @Test
    void restrictsRightsNetworkAndResourcesOfAContainer() throws IOException {
        // When
        run(container("true"));

        // Then
        String call = calls();
        for (String bound : List.of(
                "--network none",
                "--memory 64m",
                "--cpus 0.5",
                "--pids-limit 512",
                "--cap-drop ALL",
                "--security-opt no-new-privileges",
                "--rm")) {
            assertTrue(call.contains(bound), call);
        }
        assertTrue(call.indexOf("--entrypoint /bin/sh alpine -c true") > 0, call);
        assertFalse(call.contains("key-1"), "what is in its environment is in no list of processes");
        assertEquals(ToolEffect.AT_MOST_ONCE, tool.spec().effect());
    }

    @Test
    void cancellationRemovesTheContainer() throws Exception {
        // Given
        ToolCallContext call = Calls.call();
        var stopped = new CompletableFuture<ToolOutput>();
        Thread thread = Thread.ofVirtual().start(() -> {
            try {
                stopped.complete(tool.run(call, container("touch " + folder + "/begun; sleep 600")));
            } catch (IOException e) {
                stopped.completeExceptionally(e);
            }
        });
        Awaitility.await().until(() -> Files.exists(folder.resolve("begun")));

        // When
        thread.interrupt();

        // Then
        assertTrue(
                assertInstanceOf(ToolOutput.Failed.class, stopped.get()).why().contains("ended before its end"));
        assertTrue(calls().contains("rm --force parley-" + call.callId()), calls());
    }

    @Test
    void reportsAMissingEngine() throws IOException {
        var none = new ContainerTool(new ContainersConfig("/no/engine", List.of("alpine"), "none", "64m", "1"));

        ToolOutput output = none.run(Calls.call(), container("true"));

        assertTrue(
                assertInstanceOf(ToolOutput.Failed.class, output).why().contains("could not be started"),
                output.toString());
    }
}
