package dev.parley.tools.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.worker.Cancellation;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.ToolOutput.Failed;
import dev.parley.tools.ToolOutput.Text;
import dev.parley.tools.kind.Calls;
import dev.parley.tools.sandbox.Sandbox;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A script runs in a process of its own; one that does not end, floods or eats is ended, and the next one runs. */
class ScriptKindTest {
    private static final ScriptKind SCRIPTS =
            ScriptKind.javascript(new Sandbox.Limits(64, Duration.ofSeconds(2), 2, 2));

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
    void aScriptIsGivenItsArguments() throws Exception {
        assertEquals(new Text("3"), run("return args.a + args.b", "{'a':1,'b':2}"));
    }

    @Test
    @Tag("A20")
    void anEndlessLoopIsEnded() throws Exception {
        assertEquals("it was ended after 2000 ms", failure("for (;;) {}"));
    }

    @Test
    @Tag("A20")
    void memoryIsBounded() throws Exception {
        assertEquals(
                "the script used more memory than it may",
                failure("const all = []; for (;;) all.push(new ArrayBuffer(10000000))"));
    }

    @Test
    @Tag("A20")
    void printingIsBounded() throws Exception {
        assertEquals("the script printed more than 1 MiB", failure("for (;;) console.log('x'.repeat(10000))"));
    }

    @Test
    void aCallIsInterruptedAndItsProcessEnded() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                var runner = SCRIPTS.runner(Calls.json("script", "for (;;) {}"))) {
            long before = children();
            var running = threads.submit(
                    () -> runner.run(Calls.call(Duration.ofMinutes(1), new Cancellation()), Calls.json("{}")));
            threads.shutdownNow();

            var thrown = assertThrows(ExecutionException.class, running::get);
            assertInstanceOf(InterruptedException.class, thrown.getCause());
            assertTrue(children() <= before + 2);
        }
    }

    private static long children() {
        return ProcessHandle.current().children().filter(ProcessHandle::isAlive).count();
    }

    @Test
    void aDefinitionSaysWhatIsWrongWithIt() {
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
