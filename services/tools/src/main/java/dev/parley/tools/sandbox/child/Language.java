package dev.parley.tools.sandbox.child;

/** The languages of scripts. */
public enum Language {
    /** A script is the body of a function of {@code args}. */
    JAVASCRIPT {
        @Override
        Interpreter interpreter(BoundedOutput output) {
            return new Polyglot(Syntax.JAVASCRIPT, output);
        }
    },
    /** A script is the body of a function of {@code args}. */
    PYTHON {
        @Override
        Interpreter interpreter(BoundedOutput output) {
            return new Polyglot(Syntax.PYTHON, output);
        }
    },
    /** A WebAssembly module, in Base64. */
    WASM {
        @Override
        Interpreter interpreter(BoundedOutput output) {
            return new Wasm(output);
        }
    };

    abstract Interpreter interpreter(BoundedOutput output);
}
