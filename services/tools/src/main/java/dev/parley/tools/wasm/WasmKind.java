package dev.parley.tools.wasm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.kind.DefinitionFields;
import dev.parley.tools.kind.ToolKind;
import dev.parley.tools.sandbox.Sandbox;
import dev.parley.tools.sandbox.child.SandboxMessage.Request;
import dev.parley.tools.sandbox.child.ScriptLanguage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * Tools that are WebAssembly modules: {@code {"module": "…Base64…"}}, or {@code {"sha256": "…"}} of a stored file;
 * {@code fuel} is the maximum number of instructions of a call. docs/tools/wasm.md describes the exports of a module.
 */
public final class WasmKind implements ToolKind {
    /** Maximum bytes of a module. */
    static final int MAX_MODULE = 1 << 20;

    /** Default fuel of a call. */
    static final int DEFAULT_FUEL = 100_000_000;
    /** Maximum fuel of a definition. */
    static final int MAX_FUEL = 1_000_000_000;

    private static final int MAX_ENCODED = MAX_MODULE / 3 * 4 + 4;
    private static final byte[] MAGIC = {0, 'a', 's', 'm', 1, 0, 0, 0};

    private final BlobStore blobs;
    private final Sandbox sandbox;

    /** @param blobs has the modules that are named by digest */
    public WasmKind(BlobStore blobs) {
        this(blobs, Sandbox.Limits.DEFAULT);
    }

    WasmKind(BlobStore blobs, Sandbox.Limits limits) {
        this.blobs = blobs;
        this.sandbox = new Sandbox(ScriptLanguage.WASM, limits);
    }

    @Override
    public String name() {
        return "wasm";
    }

    @Override
    public Runner runner(JsonNode implementation, CatalogueScope scope) {
        DefinitionFields fields = DefinitionFields.of(implementation, "module", "sha256", "fuel");
        int fuel = fields.number("fuel", 1, MAX_FUEL, DEFAULT_FUEL);
        if (fields.has("module") == fields.has("sha256")) {
            throw new IllegalArgumentException("either module or sha256 is required");
        }
        if (fields.has("sha256")) {
            String digest = fields.text("sha256");
            if (!digest.matches("[0-9a-f]{64}")) {
                throw new IllegalArgumentException("sha256 must have 64 hexadecimal digits");
            }
            return (call, arguments) -> runStored(digest, fuel, call, arguments);
        }
        String module = fields.text("module", MAX_ENCODED);
        if (!isModule(decodeBase64(module))) {
            throw new IllegalArgumentException("module is a binary module of WebAssembly, version 1, in base 64");
        }
        return (call, arguments) -> run(module, fuel, call, arguments);
    }

    private static byte[] decodeBase64(String module) {
        try {
            return Base64.getDecoder().decode(module);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    private static boolean isModule(byte[] bytes) {
        return bytes.length <= MAX_MODULE
                && bytes.length >= MAGIC.length
                && Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    }

    private ToolOutput runStored(String digest, int fuel, ToolCallContext call, JsonNode arguments)
            throws IOException, InterruptedException {
        Optional<Path> stored = blobs.get(digest);
        if (stored.isEmpty() || Files.size(stored.get()) > MAX_MODULE) {
            return new ToolOutput.Failed("there is no module with the digest " + digest);
        }
        byte[] bytes = Files.readAllBytes(stored.get());
        return isModule(bytes)
                ? run(Base64.getEncoder().encodeToString(bytes), fuel, call, arguments)
                : new ToolOutput.Failed("the file with the digest " + digest + " is not a module");
    }

    private ToolOutput run(String module, int fuel, ToolCallContext call, JsonNode arguments)
            throws InterruptedException {
        return sandbox.output(call, Request.of(module, arguments.toString()).withFuel(fuel));
    }

    @Override
    public void close() {
        sandbox.close();
    }
}
