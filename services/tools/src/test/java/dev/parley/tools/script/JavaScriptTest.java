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
import dev.parley.tools.script.child.Language;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A script is given its arguments and gives a result back; whatever else it tries comes to nothing. */
class JavaScriptTest {
    private static final ScriptKind SCRIPTS =
            ScriptKind.of(Language.JAVASCRIPT, new Sandbox.Limits(64, Duration.ofSeconds(2), 2, 2));

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
    void theResultIsWhatItReturns() throws Exception {
        assertEquals(
                new Text("{\"sum\":3,\"name\":\"Zoë\"}"),
                run("return {sum: args.a + args.b, name: args.name}", "{'a':1,'b':2,'name':'Zoë'}"));
    }

    @Test
    void orElseWhatItPrints() throws Exception {
        assertEquals(new Text("one\ntwo\n"), run("console.log('one'); console.log('two')"));
    }

    @Test
    void mistakesAreSaidWithTheirLine() throws Exception {
        assertEquals("Error: no such town (line 2)", failure("const x = 1\nthrow new Error('no such town')"));
        assertTrue(failure("return (").startsWith("SyntaxError"));
        assertTrue(failure("return Promise.resolve(1)").contains("not a promise"));
    }

    @Test
    @Tag("A20")
    void anEndlessLoopIsEnded() throws Exception {
        assertEquals("the script was ended after 2000 ms", failure("for (;;) {}"));
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
        assertEquals("the result is longer than 1 MiB", failure("return 'é'.repeat(600000)"));
    }

    @Test
    @Tag("A20")
    void filesNetworkProcessesAndJavaAreNotThere() throws Exception {
        String tried = """
                const found = [];
                for (const name of ['Java', 'Packages', 'Polyglot', 'java', 'load', 'loadWithNewGlobal', 'read',
                    'readFully', 'require', 'process', 'fetch', 'XMLHttpRequest', 'Worker', 'importScripts', 'quit', 'exit']) {
                    if (typeof globalThis[name] === 'undefined') continue;
                    try {
                        if (name === 'Java') globalThis.Java.type('java.lang.Runtime');
                        else if (name === 'load') load('/etc/passwd');
                        else if (name === 'loadWithNewGlobal') loadWithNewGlobal('/etc/passwd');
                        found.push(name);
                    } catch (e) {}
                }
                return found""";
        assertEquals(new Text("[]"), run(tried));
    }

    @Test
    void modulesOfFilesCannotBeImported() throws Exception {
        String script = "import('/etc/passwd').then(() => console.log('read'), e => console.log('refused'))";
        assertEquals(new Text("refused\n"), run(script));
    }

    @Test
    void nothingIsLeftForTheNextCall() throws Exception {
        run("globalThis.left = 1; Object.prototype.left = 2");

        assertEquals(new Text("undefined"), run("return String(globalThis.left)"));
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
        assertEquals("scrip is not known; known here are script", refusal("{'scrip':''}"));
        assertEquals("script is a text of at most 100000 characters", refusal("{'script':7}"));
    }

    private static String refusal(String implementation) {
        return String.valueOf(
                assertThrows(IllegalArgumentException.class, () -> SCRIPTS.runner(Calls.json(implementation)))
                        .getMessage());
    }
}
