package dev.parley.tools.sandbox.child;

import com.dylibso.chicory.runtime.ByteArrayMemory;
import com.dylibso.chicory.runtime.ExecutionListener;
import com.dylibso.chicory.runtime.HostFunction;
import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.MStack;
import com.dylibso.chicory.runtime.Memory;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.types.FunctionType;
import com.dylibso.chicory.wasm.types.Instruction;
import com.dylibso.chicory.wasm.types.MemoryLimits;
import com.dylibso.chicory.wasm.types.ValType;
import dev.parley.tools.sandbox.child.SandboxMessage.Request;
import dev.parley.tools.sandbox.child.SandboxMessage.Response;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/**
 * The interpreter of WebAssembly modules. A module exports {@code memory}; {@code alloc(i32 length) -> i32}, which
 * allocates memory for the arguments; and {@code run(i32 at, i32 length) -> i64}, which receives them as JSON and
 * returns the address of its result in the upper half and its length in the lower one. It may import only
 * {@code parley.log(i32 at, i32 length)}.
 */
final class Wasm implements ScriptInterpreter {
    /** Maximum memory pages of 64 KiB. */
    static final int MAX_PAGES = 512;

    private static final int MAX_ERROR = 1_000;
    /** The module of docs/tools/wasm.md, which returns its arguments; run for warm-up. */
    private static final String ECHO =
            "AGFzbQEAAAABDAJgAX8Bf2ACf38BfgMDAgABBQMBAAEHGAMGbWVtb3J5AgAFYWxsb2MAAANydW4AAQoT"
                    + "AgQAQRALDAAgAK1CIIYgAa2ECw==";

    private static final FunctionType ALLOC = FunctionType.of(List.of(ValType.I32), List.of(ValType.I32));
    private static final FunctionType RUN = FunctionType.of(List.of(ValType.I32, ValType.I32), List.of(ValType.I64));
    private static final FunctionType LOG = FunctionType.of(List.of(ValType.I32, ValType.I32), List.of());

    private final BoundedOutput output;

    /** @param output receives the log */
    Wasm(BoundedOutput output) {
        this.output = output;
    }

    @Override
    public Response run(Request request) {
        output.clear();
        try {
            String result = result(request);
            return Response.of(result.isEmpty() ? output.text() : result);
        } catch (BadModule e) {
            return new Response(true, String.valueOf(e.getMessage()));
        } catch (RuntimeException | StackOverflowError e) {
            String message = String.valueOf(e.getMessage());
            return new Response(
                    true, "the module failed: " + message.substring(0, Math.min(message.length(), MAX_ERROR)));
        }
    }

    private String result(Request request) {
        Instance module = Instance.builder(
                        Parser.parse(Base64.getDecoder().decode(request.script().isEmpty() ? ECHO : request.script())))
                .withMemoryFactory(Wasm::memory)
                .withUnsafeExecutionListener(new Fuel(request.fuel()))
                .withImportValues(ImportValues.builder()
                        .addFunction(new HostFunction("parley", "log", LOG, this::log))
                        .build())
                .build();
        check(module, "alloc", ALLOC);
        check(module, "run", RUN);
        byte[] arguments = request.arguments().getBytes(StandardCharsets.UTF_8);
        int address = (int) module.export("alloc").apply(arguments.length)[0];
        module.memory().write(address, arguments);
        long result = module.export("run").apply(address, arguments.length)[0];
        int length = (int) result;
        if (length < 0 || length > SandboxMessage.MAX_BYTES) {
            throw new BadModule("the result is longer than " + (SandboxMessage.MAX_BYTES >> 20) + " MiB");
        }
        return text(module, (int) (result >>> 32), length);
    }

    private static Memory memory(MemoryLimits requested) {
        if (requested.initialPages() > MAX_PAGES) {
            throw new BadModule("the module requires %d pages of memory; the maximum is %d"
                    .formatted(requested.initialPages(), MAX_PAGES));
        }
        return new ByteArrayMemory(
                new MemoryLimits(requested.initialPages(), Math.min(requested.maximumPages(), MAX_PAGES)));
    }

    private static void check(Instance module, String name, FunctionType type) {
        FunctionType found;
        try {
            found = module.exportType(name);
        } catch (RuntimeException e) {
            throw new BadModule("the module exports no " + name);
        }
        if (!type.equals(found)) {
            throw new BadModule("%s is %s, not %s".formatted(name, type, found));
        }
    }

    private long[] log(Instance module, long... values) {
        String line = text(module, (int) values[0], Math.clamp(values[1], 0, SandboxMessage.MAX_BYTES)) + "\n";
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        output.write(bytes, 0, bytes.length);
        return new long[0];
    }

    private static String text(Instance module, int address, int length) {
        return new String(module.memory().readBytes(address, length), StandardCharsets.UTF_8);
    }

    /** Limits instructions, whose number is the same on every machine, unlike time. */
    private static final class Fuel implements ExecutionListener {
        private final long max;
        private long left;

        Fuel(long max) {
            this.max = max;
            this.left = max;
        }

        @Override
        public void onExecution(Instruction instruction, MStack stack) {
            if (left-- <= 0) {
                throw new BadModule("the module used up its fuel of %d instructions".formatted(max));
            }
        }
    }

    /** A module violates the convention; the message is for its author. */
    private static final class BadModule extends RuntimeException {
        private static final long serialVersionUID = 1;

        BadModule(String message) {
            super(message);
        }
    }
}
