package dev.parley.tools.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.platform.json.JsonMappers;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.kind.Calls;
import dev.parley.tools.sandbox.ProcessesByHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands of workflows in a local shell. */
@Tag("W29")
class CommandToolTest {
    private static final CommandTool TOOL = new CommandTool();

    @TempDir
    Path folder;

    private static ObjectNode command(String command) {
        return JsonMappers.shared().createObjectNode().put("command", command).put("idempotencyKey", "key-1");
    }

    private static JsonNode run(JsonNode arguments) throws IOException {
        ToolOutput output = TOOL.run(Calls.call(), arguments);
        return JsonMappers.tree(assertInstanceOf(ToolOutput.Text.class, output, output.toString())
                .text());
    }

    private static String failure(JsonNode arguments) throws IOException {
        return assertInstanceOf(ToolOutput.Failed.class, TOOL.run(Calls.call(), arguments))
                .why();
    }

    @Test
    void passesArgumentsAndInputAndReturnsBothOutputs() throws IOException {
        // Given
        ObjectNode arguments = command(
                        "input=$(cat); echo \"STDIN was: $input\"; echo \"ARGS are $1 $2\"; echo oh >&2; exit 3")
                .put("stdin", "Hello World");
        arguments.putArray("arguments").add("Foo").add("-e $HOME; 'Bar'");

        // When
        JsonNode result = run(arguments);

        // Then
        assertEquals(
                "STDIN was: Hello World\nARGS are Foo -e $HOME; 'Bar'\n",
                result.get("stdout").asText());
        assertEquals("oh\n", result.get("stderr").asText());
        assertEquals(3, result.get("code").asInt());
        assertEquals("", run(command("cat")).get("stdout").asText(), "there is no input");
    }

    @Test
    void acceptsUnreadInput() throws IOException {
        // Then
        assertEquals(
                0,
                run(command("exec <&-; true").put("stdin", "x".repeat(500_000)))
                        .get("code")
                        .asInt());
        assertEquals(
                "500000",
                run(command("wc -c").put("stdin", "x".repeat(500_000)))
                        .get("stdout")
                        .asText()
                        .strip());
    }

    @Test
    void runsWithACleanEnvironmentAndATemporaryHome() throws IOException {
        // Given
        ObjectNode arguments = command("pwd; env; touch x");
        arguments
                .putObject("environment")
                .put("UNIT", "words")
                .put("IDEMPOTENCY_KEY", "mine")
                .put("HOME", "/root");

        // When
        List<String> lines = run(arguments).get("stdout").asText().lines().toList();

        // Then
        Path home = Path.of(lines.getFirst());

        assertEquals(
                List.of("HOME=" + home, "IDEMPOTENCY_KEY=key-1", "LANG=C.UTF-8", "UNIT=words"),
                lines.stream()
                        .skip(1)
                        .filter(line -> !line.matches("(PATH|PWD|OLDPWD|SHLVL|_)=.*"))
                        .sorted()
                        .toList());
        assertFalse(Files.exists(home));
        assertTrue(home.getFileName().toString().startsWith("parley-shell-"));
    }

    @Test
    void endsProcessesThatTheCommandLeftRunning() throws IOException {
        // Given
        ProcessesByHome.check(folder);

        // When
        String home = run(command("(setsid sleep 600 & ); nohup sleep 601 >/dev/null 2>&1 & echo $HOME"))
                .get("stdout")
                .asText()
                .strip();

        // Then
        assertEquals(0, ProcessesByHome.count(home));
    }

    @Test
    void endsACommandThatPrintsTooMuch() throws IOException {
        assertTrue(failure(command("yes")).contains("more than 1 MiB"));
        assertTrue(failure(command("(yes >&2 & ) ; sleep 600")).contains("more than 1 MiB"));
        assertEquals(
                1_000_000,
                run(command("head -c 1000000 /dev/zero | tr '\\0' x"))
                        .get("stdout")
                        .asText()
                        .length());
    }

    @Test
    void cancellationEndsTheCommand() throws Exception {
        // Given
        Path marker = folder.resolve("begun");
        var answer = new CompletableFuture<ToolOutput>();
        Thread call = Thread.ofVirtual().start(() -> {
            try {
                answer.complete(TOOL.run(Calls.call(), command("pwd > " + marker + "; sleep 600")));
            } catch (IOException e) {
                answer.completeExceptionally(e);
            }
        });
        Awaitility.await().until(() -> Files.exists(marker) && Files.size(marker) > 0);

        // When
        call.interrupt();

        ToolOutput output = answer.get(20, TimeUnit.SECONDS);

        // Then
        assertTrue(assertInstanceOf(ToolOutput.Failed.class, output).why().contains("what it did until then is done"));
        String home = Files.readString(marker).strip();
        assertEquals(0, ProcessesByHome.count(home));
        assertFalse(Files.exists(Path.of(home)));
    }

    @Test
    void reportsACommandThatCannotStart() throws IOException {
        assertTrue(failure(command("echo a\0b")).startsWith("the command could not be started"));
        assertTrue(failure(command("true" + " ".repeat(200_000))).startsWith("the command could not be started"));
        assertEquals(127, run(command("-x")).get("code").asInt(), "it is a command and no option of the shell");
        assertEquals("ab", run(command("printf 'a\\0b'")).get("stdout").asText());
    }

    @Test
    void effectIsAtMostOnce() {
        assertEquals(ToolEffect.AT_MOST_ONCE, TOOL.spec().effect());
    }
}
