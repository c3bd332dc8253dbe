package dev.parley.tools.wasm;

import dev.parley.platform.blob.BlobStore;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.kind.Fields;
import dev.parley.tools.kind.ToolKind;
import dev.parley.tools.sandbox.Sandbox;
import dev.parley.tools.sandbox.child.Language;
import dev.parley.tools.sandbox.child.Message;
import dev.parley.tools.sandbox.child.Message.Answer;
import dev.parley.tools.sandbox.child.Message.Ask;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Tools that are modules of WebAssembly: {@code {"module": "…base 64…"}}, or {@code {"sha256": "…"}} of a file that is kept;
 * {@code fuel} is how many instructions a call may take. docs/tools/wasm.md has what a module exports.
 */
public final class WasmKind implements ToolKind {
    /** Most bytes of a module. */
    static final int LARGEST = 1 << 20;

    /** Instructions of a call, unless a definition says otherwise. */
    static final int FUEL = 100_000_000;
    /** Most instructions that a definition may allow. */
    static final int MOST_FUEL = 1_000_000_000;

    private static final int LONGEST = LARGEST / 3 * 4 + 4;
    private static final byte[] MAGIC = {0, 'a', 's', 'm', 1, 0, 0, 0};

    private final BlobStore blobs;
    private final Sandbox sandbox;

    /** @param blobs where modules are that are named by their digests */
    public WasmKind(BlobStore blobs) {
        this(blobs, Sandbox.Limits.DEFAULT);
    }

    WasmKind(BlobStore blobs, Sandbox.Limits limits) {
        this.blobs = blobs;
        this.sandbox = new Sandbox(Language.WASM, limits);
    }

    @Override
    public String name() {
        return "wasm";
    }

    @Override
    public Runner runner(JsonNode implementation) {
        Fields fields = Fields.of(implementation, "module", "sha256", "fuel");
        int fuel = fields.number("fuel", 1, MOST_FUEL, FUEL);
        if (fields.has("module") == fields.has("sha256")) {
            throw new IllegalArgumentException("there is either a module or a sha256");
        }
        if (fields.has("sha256")) {
            String digest = fields.text("sha256");
            if (!digest.matches("[0-9a-f]{64}")) {
                throw new IllegalArgumentException("sha256 is 64 hexadecimal digits");
            }
            return (call, arguments) -> runKept(digest, fuel, call, arguments);
        }
        String module = fields.text("module", LONGEST);
        if (!isModule(decoded(module))) {
            throw new IllegalArgumentException("module is a binary module of WebAssembly, version 1, in base 64");
        }
        return (call, arguments) -> run(module, fuel, call, arguments);
    }

    private static byte[] decoded(String module) {
        try {
            return Base64.getDecoder().decode(module);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    private static boolean isModule(byte[] bytes) {
        return bytes.length <= LARGEST
                && bytes.length >= MAGIC.length
                && Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    }

    private ToolOutput runKept(String digest, int fuel, ToolCallContext call, JsonNode arguments)
            throws IOException, InterruptedException {
        Optional<Path> kept = blobs.get(digest);
        if (kept.isEmpty() || Files.size(kept.get()) > LARGEST) {
            return new ToolOutput.Failed("there is no module with the digest " + digest);
        }
        byte[] bytes = Files.readAllBytes(kept.get());
        return isModule(bytes)
                ? run(Base64.getEncoder().encodeToString(bytes), fuel, call, arguments)
                : new ToolOutput.Failed("the file with the digest " + digest + " is no module");
    }

    private ToolOutput run(String module, int fuel, ToolCallContext call, JsonNode arguments)
            throws InterruptedException {
        String json = arguments.toString();
        if (json.getBytes(StandardCharsets.UTF_8).length > Message.MOST) {
            return new ToolOutput.Failed("the arguments are longer than 1 MiB");
        }
        Answer answer = sandbox.run(
                call.host(), Ask.of(module, json).fuelled(fuel), Duration.between(Instant.now(), call.deadline()));
        return answer.failed() ? new ToolOutput.Failed(answer.text()) : new ToolOutput.Text(answer.text());
    }

    @Override
    public void close() {
        sandbox.close();
    }
}
