package dev.parley.tools.wasm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.blob.BlobStore;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.ToolOutput.Failed;
import dev.parley.tools.ToolOutput.Text;
import dev.parley.tools.kind.Calls;
import dev.parley.tools.sandbox.Sandbox;
import dev.parley.tools.sandbox.child.WasmBytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A module runs in its own process, whether its bytes are inline or stored. */
class WasmKindTest {
    @TempDir
    Path folder;

    private BlobStore blobs;
    private WasmKind kind;

    @BeforeEach
    void open() {
        blobs = new BlobStore(folder, BlobStore.MOST);
        kind = new WasmKind(blobs, new Sandbox.Limits(64, Duration.ofSeconds(1), 2, 1));
    }

    @AfterEach
    void close() {
        kind.close();
    }

    private ToolOutput run(String field, String value) throws Exception {
        return kind.runner(Calls.json(field, value)).run(Calls.call(), Calls.json("{'a':1}"));
    }

    @Test
    @Tag("A21")
    void runsAnInlineOrStoredModule() throws Exception {
        byte[] module = WasmBytes.module(WasmBytes.ECHO);
        String digest = blobs.put(new ByteArrayInputStream(module)).sha256();

        assertEquals(new Text("{\"a\":1}"), run("module", WasmBytes.base64(module)));
        assertEquals(new Text("{\"a\":1}"), run("sha256", digest));
    }

    @Test
    @Tag("A21")
    void endsAnEndlessLoopByFuelOrTime() throws Exception {
        assertEquals(new Failed("the module used up its fuel of 70000 instructions"), endless(70_000));
        assertEquals(new Failed("it was ended after 1000 ms"), endless(WasmKind.MAX_FUEL));
    }

    private ToolOutput endless(int fuel) throws Exception {
        var implementation = (ObjectNode) Calls.json("module", WasmBytes.base64(WasmBytes.module(WasmBytes.ENDLESS)));
        return kind.runner(implementation.put("fuel", fuel)).run(Calls.call(), Calls.json("{}"));
    }

    @Test
    void rejectsAMissingOrInvalidStoredModule() throws Exception, IOException {
        String missing = "0".repeat(64);
        String other = blobs.put(new ByteArrayInputStream("text".getBytes(StandardCharsets.UTF_8)))
                .sha256();

        assertEquals(new Failed("there is no module with the digest " + missing), run("sha256", missing));
        assertEquals(new Failed("the file with the digest " + other + " is not a module"), run("sha256", other));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                              | either module or sha256 is required
            {'module':'AGFzbQ=='}           | module is a binary module of WebAssembly, version 1, in base 64
            {'module':'???'}                | module is a binary module of WebAssembly, version 1, in base 64
            {'module':'AGFzbQ==','fuel':0}  | fuel is a whole number from 1 to 1000000000
            {'sha256':'../../etc/passwd'}   | sha256 must have 64 hexadecimal digits
            """)
    void rejectsAnInvalidDefinition(String implementation, String expected) {
        var thrown = assertThrows(IllegalArgumentException.class, () -> kind.runner(Calls.json(implementation)));

        assertEquals(expected, thrown.getMessage());
    }
}
