package dev.parley.tools.sandbox.child;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.tools.sandbox.child.SandboxMessage.Request;
import dev.parley.tools.sandbox.child.SandboxMessage.Response;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A module gets arguments and returns a result; it has only its own memory. */
class WasmTest {
    private static final String ARGUMENTS = "{\"name\":\"Zoë\"}";
    /** Two instructions of alloc and eight of run, including their ends. */
    private static final int ECHO_TAKES = 10;

    private final ScriptInterpreter interpreter = ScriptLanguage.WASM.interpreter(new BoundedOutput(() -> {}));

    private Response run(byte[] module) {
        return run(module, Long.MAX_VALUE);
    }

    private Response run(byte[] module, long fuel) {
        return interpreter.run(Request.of(WasmBytes.base64(module), ARGUMENTS).withFuel(fuel));
    }

    private String failure(byte[] module) {
        Response response = run(module);
        assertTrue(response.failed(), response.text());
        return response.text();
    }

    @Test
    @Tag("A21")
    void readsTheResultFromTheReturnedAddress() {
        assertEquals(new Response(false, "{\"name\":\"Zoë\"}"), run(WasmBytes.module(WasmBytes.ECHO)));
    }

    @Test
    @Tag("A21")
    void reportsATrapAsAFailure() {
        assertTrue(failure(WasmBytes.module(WasmBytes.TRAP)).startsWith("the module failed: "));
        assertTrue(failure(WasmBytes.module(WasmBytes.RECURSIVE)).startsWith("the module failed: "));
    }

    @Test
    @Tag("A21")
    void limitsMemory() {
        assertEquals(
                "the module requires 10000 pages of memory; the maximum is 512",
                failure(WasmBytes.module(null, null, 10_000, WasmBytes.ECHO)));
        assertEquals(
                Wasm.MAX_PAGES, run(WasmBytes.module(WasmBytes.GREEDY)).text().getBytes(UTF_8).length);
    }

    @Test
    @Tag("A21")
    void countsFuelByInstruction() {
        byte[] endless = WasmBytes.module(WasmBytes.ENDLESS);
        String exhausted = "the module used up its fuel of 1000000 instructions";
        assertEquals(new Response(true, exhausted), run(endless, 1_000_000));

        // what is enough is enough each time, and one instruction less never is
        for (int i = 0; i < 3; i++) {
            assertEquals(new Response(false, ARGUMENTS), run(WasmBytes.module(WasmBytes.ECHO), ECHO_TAKES));
            assertTrue(run(WasmBytes.module(WasmBytes.ECHO), ECHO_TAKES - 1).failed());
        }
    }

    @Test
    @Tag("A21")
    void offersOnlyTheLogImport() {
        assertEquals(
                new Response(false, "{\"name\":\"Zoë\"}\n"), run(WasmBytes.module("parley", "log", 1, WasmBytes.LOG)));
        assertTrue(failure(WasmBytes.module("env", "exit", 1, WasmBytes.LOG)).startsWith("the module failed: "));
        assertTrue(failure(WasmBytes.module("wasi_snapshot_preview1", "fd_write", 1, WasmBytes.LOG))
                .startsWith("the module failed: "));
    }

    @Test
    void warmsUpWithoutAModule() {
        assertEquals(new Response(false, "{}"), interpreter.run(Request.of("", "{}")));
    }

    @Test
    void rejectsInvalidModules() {
        assertTrue(failure(new byte[] {0, 'a', 's', 'm', 1, 0, 0, 0}).startsWith("the module exports no alloc"));
        assertTrue(failure(new byte[] {0, 'a', 's', 'm', 1, 0, 0, 0, 1, 99}).startsWith("the module failed: "));
        assertTrue(failure("no module".getBytes(UTF_8)).startsWith("the module failed: "));
    }
}
