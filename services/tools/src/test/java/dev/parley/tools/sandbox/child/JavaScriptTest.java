package dev.parley.tools.sandbox.child;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.tools.sandbox.child.Message.Answer;
import dev.parley.tools.sandbox.child.Message.Ask;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A script is given its arguments and gives a result back; whatever else it tries comes to nothing. */
class JavaScriptTest {
    private static final Interpreter INTERPRETER = Language.JAVASCRIPT.interpreter(new BoundedOutput(() -> {}));

    @AfterAll
    static void close() {
        INTERPRETER.close();
    }

    private static Answer run(String script) {
        return run(script, "{}");
    }

    private static Answer run(String script, String arguments) {
        return INTERPRETER.run(Ask.of(script, arguments.replace('\'', '"')));
    }

    private static String failure(String script) {
        Answer answer = run(script);
        assertEquals(new Answer(true, answer.text()), answer);
        return answer.text();
    }

    @Test
    void theResultIsWhatItReturns() {
        assertEquals(
                new Answer(false, "{\"sum\":3,\"name\":\"Zoë\"}"),
                run("return {sum: args.a + args.b, name: args.name}", "{'a':1,'b':2,'name':'Zoë'}"));
    }

    @Test
    void orElseWhatItPrints() {
        assertEquals(new Answer(false, "one\ntwo\n"), run("console.log('one'); console.log('two')"));
    }

    @Test
    void mistakesAreSaidWithTheirLine() {
        assertEquals("Error: no such town (line 2)", failure("const x = 1\nthrow new Error('no such town')"));
        assertTrue(failure("return (").startsWith("SyntaxError"));
        assertTrue(failure("return Promise.resolve(1)").contains("not a promise"));
    }

    @Test
    @Tag("A20")
    void filesNetworkProcessesAndJavaAreNotThere() {
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
        assertEquals(new Answer(false, "[]"), run(tried));
    }

    @Test
    void modulesOfFilesCannotBeImported() {
        String script = "import('/etc/passwd').then(() => console.log('read'), e => console.log('refused'))";
        assertEquals(new Answer(false, "refused\n"), run(script));
    }

    @Test
    void nothingIsLeftForTheNextCall() {
        run("globalThis.left = 1; Object.prototype.left = 2");

        assertEquals(new Answer(false, "undefined"), run("return String(globalThis.left)"));
    }

    @Test
    void aResultIsBounded() {
        assertEquals("the result is longer than 1 MiB", failure("return 'é'.repeat(600000)"));
    }
}
