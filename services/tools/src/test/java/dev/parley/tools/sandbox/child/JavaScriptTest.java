package dev.parley.tools.sandbox.child;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.tools.sandbox.child.SandboxMessage.Request;
import dev.parley.tools.sandbox.child.SandboxMessage.Response;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A script gets arguments and returns a result, and has access to nothing else. */
class JavaScriptTest {
    private static final ScriptInterpreter INTERPRETER =
            ScriptLanguage.JAVASCRIPT.interpreter(new BoundedOutput(() -> {}));

    @AfterAll
    static void close() {
        INTERPRETER.close();
    }

    private static Response run(String script) {
        return run(script, "{}");
    }

    private static Response run(String script, String arguments) {
        return INTERPRETER.run(Request.of(script, arguments.replace('\'', '"')));
    }

    private static String failure(String script) {
        Response response = run(script);
        assertEquals(new Response(true, response.text()), response);
        return response.text();
    }

    @Test
    void returnsTheValueOfTheScript() {
        assertEquals(
                new Response(false, "{\"sum\":3,\"name\":\"Zoë\"}"),
                run("return {sum: args.a + args.b, name: args.name}", "{'a':1,'b':2,'name':'Zoë'}"));
    }

    @Test
    void returnsPrintedTextWithoutAReturnValue() {
        assertEquals(new Response(false, "one\ntwo\n"), run("console.log('one'); console.log('two')"));
    }

    @Test
    void reportsErrorsWithTheirLine() {
        assertEquals("Error: no such town (line 2)", failure("const x = 1\nthrow new Error('no such town')"));
        assertTrue(failure("return (").startsWith("SyntaxError"));
        assertTrue(failure("return Promise.resolve(1)").contains("not a promise"));
    }

    @Test
    @Tag("A20")
    void hasNoFilesNetworkProcessesOrJava() {
        // Given
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

        // Then
        assertEquals(new Response(false, "[]"), run(tried));
    }

    @Test
    void rejectsImportsOfFiles() {
        String script = "import('/etc/passwd').then(() => console.log('read'), e => console.log('refused'))";
        assertEquals(new Response(false, "refused\n"), run(script));
    }

    @Test
    void isolatesTheStateOfCalls() {
        run("globalThis.left = 1; Object.prototype.left = 2");

        assertEquals(new Response(false, "undefined"), run("return String(globalThis.left)"));
    }

    @Test
    void limitsTheResult() {
        assertEquals("the result is longer than 1 MiB", failure("return 'é'.repeat(600000)"));
    }
}
