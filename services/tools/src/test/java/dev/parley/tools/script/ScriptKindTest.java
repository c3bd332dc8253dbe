package dev.parley.tools.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.tools.ToolOutput;
import dev.parley.tools.ToolOutput.Failed;
import dev.parley.tools.ToolOutput.Text;
import dev.parley.tools.kind.Calls;
import dev.parley.tools.sandbox.Sandbox;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A script runs in its own process, which is ended if it exceeds time, output or memory; the next one runs. */
class ScriptKindTest {
    private static final ScriptKind SCRIPTS =
            ScriptKind.javascript(new Sandbox.Limits(64, Duration.ofSeconds(2), 2, 2));

    private static final int HEAP_MIB = 63;

    @AfterAll
    static void close() {
        SCRIPTS.close();
    }

    private static ToolOutput run(String script) throws Exception {
        return run(script, "{}");
    }

    private static ToolOutput run(String script, String arguments) throws Exception {
        try (var runner = SCRIPTS.runner(Calls.json("script", script))) {
            return runner.run(Calls.call(), Calls.json(arguments));
        }
    }

    private static String failure(String script) throws Exception {
        return assertInstanceOf(Failed.class, run(script)).why();
    }

    @Test
    void passesArgumentsToTheScript() throws Exception {
        assertEquals(new Text("3"), run("return args.a + args.b", "{'a':1,'b':2}"));
    }

    @Test
    @Tag("A20")
    void endsAnEndlessLoop() throws Exception {
        assertEquals("it was ended after 2000 ms", failure("for (;;) {}"));
    }

    @Test
    @Tag("A20")
    void limitsMemory() throws Exception {
        assertEquals(
                "the script used more memory than it may",
                failure("const all = []; for (;;) all.push(new ArrayBuffer(10000000))"));
    }

    @Test
    @Tag("A20")
    void limitsPrintedOutput() throws Exception {
        assertEquals("the script printed more than 1 MiB", failure("for (;;) console.log('x'.repeat(10000))"));
    }

    @Test
    void interruptedCallEndsItsProcess() throws Exception {
        // Given a process that waits for its script
        try (var scripts = ScriptKind.javascript(new Sandbox.Limits(HEAP_MIB, Duration.ofMinutes(1), 2, 1));
                var threads = Executors.newVirtualThreadPerTaskExecutor();
                var quick = scripts.runner(Calls.json("script", "return 1"));
                var endless = scripts.runner(Calls.json("script", "for (;;) {}"))) {
            assertEquals(new Text("1"), quick.run(Calls.call(), Calls.json("{}")));
            ProcessHandle child = Awaitility.await()
                    .pollDelay(Duration.ofSeconds(1))
                    .until(ScriptKindTest::children, found -> found.size() == 1)
                    .getFirst();
            Duration before = atRest(child);

            // When it is interrupted while the script runs
            var running = threads.submit(() -> endless.run(Calls.call(), Calls.json("{}")));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(50))
                    .until(() -> cpu(child).minus(before).compareTo(Duration.ofMillis(500)) > 0);
            threads.shutdownNow();

            // Then
            var thrown = assertThrows(ExecutionException.class, running::get);
            assertInstanceOf(InterruptedException.class, thrown.getCause());
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> !child.isAlive());
        }
    }

    /** The processes of scripts with {@link #HEAP_MIB}, which no other test has. */
    private static List<ProcessHandle> children() {
        return ProcessHandle.current()
                .children()
                .filter(child -> commandLine(child).contains("\0-Xmx" + HEAP_MIB + "m\0"))
                .toList();
    }

    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) { // it has ended
            return "";
        }
    }

    /** Waits until a process does nearly nothing for a second; returns its CPU time. */
    private static Duration atRest(ProcessHandle process) throws InterruptedException {
        Duration now = cpu(process);
        Duration before;
        do {
            before = now;
            Thread.sleep(1_000);
            now = cpu(process);
        } while (now.minus(before).compareTo(Duration.ofMillis(50)) > 0);
        return now;
    }

    private static Duration cpu(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    @Test
    void rejectsAnInvalidDefinition() {
        assertEquals("script is missing", refusal("{}"));
        assertEquals("scrip is unknown; valid fields are script", refusal("{'scrip':''}"));
        assertEquals("script is a text of at most 100000 characters", refusal("{'script':7}"));
    }

    private static String refusal(String implementation) {
        return String.valueOf(
                assertThrows(IllegalArgumentException.class, () -> SCRIPTS.runner(Calls.json(implementation)))
                        .getMessage());
    }
}
