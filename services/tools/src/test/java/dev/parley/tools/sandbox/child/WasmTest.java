package dev.parley.tools.sandbox.child;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.tools.sandbox.child.Message.Answer;
import dev.parley.tools.sandbox.child.Message.Ask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A module is given its arguments and gives a result back; it has its own memory and nothing of its host's. */
class WasmTest {
    private final Interpreter interpreter = Language.WASM.interpreter(new Written(() -> {}));

    private Answer run(byte[] module) {
        return interpreter.run(new Ask(WasmBytes.base64(module), "{\"name\":\"Zoë\"}", 0));
    }

    private String failure(byte[] module) {
        Answer answer = run(module);
        assertTrue(answer.failed(), answer.text());
        return answer.text();
    }

    @Test
    @Tag("A21")
    void theResultIsWhereItSays() {
        assertEquals(new Answer(false, "{\"name\":\"Zoë\"}"), run(WasmBytes.module(WasmBytes.ECHO)));
    }

    @Test
    @Tag("A21")
    void aTrapIsAFailure() {
        assertTrue(failure(WasmBytes.module(WasmBytes.TRAP)).startsWith("the module failed: "));
        assertTrue(failure(WasmBytes.module(WasmBytes.RECURSIVE)).startsWith("the module failed: "));
    }

    @Test
    @Tag("A21")
    void memoryHasALimit() {
        assertEquals(
                "the module wants 10000 pages of memory; it may have 512",
                failure(WasmBytes.module(null, null, 10_000, WasmBytes.ECHO)));
        assertEquals(
                Wasm.MOST_PAGES, run(WasmBytes.module(WasmBytes.GREEDY)).text().getBytes(UTF_8).length);
    }

    @Test
    @Tag("A21")
    void ofTheHostThereIsALogAndNothingElse() {
        assertEquals(
                new Answer(false, "{\"name\":\"Zoë\"}\n"), run(WasmBytes.module("parley", "log", 1, WasmBytes.LOG)));
        assertTrue(failure(WasmBytes.module("env", "exit", 1, WasmBytes.LOG)).startsWith("the module failed: "));
        assertTrue(failure(WasmBytes.module("wasi_snapshot_preview1", "fd_write", 1, WasmBytes.LOG))
                .startsWith("the module failed: "));
    }

    @Test
    void anInterpreterWarmsUpWithoutAModule() {
        assertEquals(new Answer(false, "{}"), interpreter.run(new Ask("", "{}", 0)));
    }

    @Test
    void whatIsNoSuchModuleIsSaidToBeNone() {
        assertTrue(failure(new byte[] {0, 'a', 's', 'm', 1, 0, 0, 0}).startsWith("the module exports no alloc"));
        assertTrue(failure(new byte[] {0, 'a', 's', 'm', 1, 0, 0, 0, 1, 99}).startsWith("the module failed: "));
        assertTrue(failure("no module".getBytes()).startsWith("the module failed: "));
    }
}
