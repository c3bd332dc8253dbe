package dev.parley.tools.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.tools.ToolOutput;
import dev.parley.tools.ToolOutput.Failed;
import dev.parley.tools.ToolOutput.Text;
import dev.parley.tools.kind.Calls;
import dev.parley.tools.sandbox.Sandbox;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Python script gets arguments and returns a result, and has access to nothing else. */
class PythonTest {
    /** The folder that the module services/python builds. */
    private static final Path FOLDER = Path.of("../python/target/python");

    private static final ScriptKind SCRIPTS =
            ScriptKind.python(FOLDER, new Sandbox.Limits(256, Duration.ofSeconds(5), 2, 2));

    @AfterAll
    static void close() {
        SCRIPTS.close();
    }

    private static ToolOutput run(String script, String arguments) throws Exception {
        try (var runner = SCRIPTS.runner(Calls.json("script", script))) {
            return runner.run(Calls.call(), Calls.json(arguments));
        }
    }

    private static String failure(String script) throws Exception {
        return assertInstanceOf(Failed.class, run(script, "{}")).why();
    }

    @Test
    @Tag("A20")
    void passesArgumentsAsValuesNotCode() throws Exception {
        // Given
        String script = """
                text = \"\"\"one
                two\"\"\"
                def total(numbers):
                    return sum(numbers)
                print('not the result')
                return {'sum': total(args['numbers']), 'name': args['name'], 'text': text}
                """;

        // Then
        assertEquals(
                new Text("{\"sum\":3,\"name\":\"Zoë`); import os; print({args}\",\"text\":\"one\\ntwo\"}"),
                run(script, "{'numbers':[1,2],'name':'Zoë`); import os; print({args}'}"));
    }

    @Test
    @Tag("A20")
    void hasNoFilesProcessesEnvironmentOrJava() throws Exception {
        // Given
        String tried = """
                import os, subprocess, math
                def java_class():
                    import java
                    return java.type('java.lang.Runtime')
                def other_language():
                    import polyglot
                    return polyglot.eval(language='js', string='1')
                def inside():
                    import __graalpython__
                    return __graalpython__.read_file('/etc/passwd')
                found = []
                for name, what in {
                        'read': lambda: open('/etc/passwd').read(),
                        'write': lambda: open(os.path.dirname(os.__file__) + '/x', 'w'),
                        'descriptor': lambda: os.open('/etc/passwd', os.O_RDONLY),
                        'list': lambda: os.listdir('/etc'),
                        'process': lambda: subprocess.run(['id']),
                        'native': lambda: __import__('ctypes').CDLL(None),
                        'java': java_class, 'language': other_language, 'inside': inside}.items():
                    try:
                        what()
                        found.append(name)
                    except Exception:
                        pass
                print(len(found), found, 'HOME' in os.environ, 'PATH' in os.environ, math.sqrt(4))
                """;

        // Then
        assertEquals(new Text("0 [] False False 2.0\n"), run(tried, "{}"));
    }

    @Test
    @Tag("A20")
    void hasNoNetwork() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout(1);

            String failure = failure("import socket\nsocket.socket().connect(('127.0.0.1', %d))\nreturn 'connected'"
                    .formatted(server.getLocalPort()));

            assertEquals("this is not possible here: socket was excluded", failure);
            assertThrows(SocketTimeoutException.class, server::accept);
        }
    }

    @Test
    void reportsErrorsWithTheirLine() throws Exception {
        assertEquals("KeyError: 'town' (line 2)", failure("import json\nreturn args['town']"));
        assertEquals("the script exits instead of returning a result", failure("import sys\nsys.exit()"));
    }

    @Test
    @Tag("A20")
    void endsAnEndlessLoop() throws Exception {
        assertEquals("it was ended after 5000 ms", failure("while True: pass"));
    }

    @Test
    @Tag("A20")
    void limitsMemory() throws Exception {
        assertEquals(
                "the script used more memory than it may",
                failure("all = []\nwhile True: all.append(bytearray(10_000_000))"));
    }

    @Test
    @Tag("A20")
    void limitsPrintedOutput() throws Exception {
        assertEquals("the script printed more than 1 MiB", failure("while True: print('x' * 10_000)"));
    }

    @Test
    void incompletePythonFolderIsAFailure(@TempDir Path folder) throws Exception {
        Files.createDirectory(folder.resolve("lib"));
        try (var empty = ScriptKind.python(folder)) {
            assertEquals(
                    new Failed("it cannot be started; the log of the tool worker says why"),
                    empty.runner(Calls.json("script", "return 1")).run(Calls.call(), Calls.json("{}")));
        }
    }

    @Test
    void reportsAMissingPythonFolder() {
        for (Path none : new Path[] {null, Path.of("nowhere")}) {
            try (var missing = ScriptKind.python(none)) {
                var thrown = assertThrows(
                        IllegalArgumentException.class, () -> missing.runner(Calls.json("script", "return 1")));
                assertTrue(String.valueOf(thrown.getMessage()).contains("PARLEY_PYTHON"), thrown.getMessage());
            }
        }
    }
}
