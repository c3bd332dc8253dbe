package dev.parley.tools.sandbox.child;

/** The languages of scripts. */
public enum Language {
    /** A script is the body of a function of {@code args}. */
    JAVASCRIPT {
        @Override
        Interpreter interpreter(BoundedOutput written) {
            return new Polyglot(Syntax.JAVASCRIPT, written);
        }
    },
    /** A script is the body of a function of {@code args}. */
    PYTHON {
        @Override
        Interpreter interpreter(BoundedOutput written) {
            return new Polyglot(Syntax.PYTHON, written);
        }
    },
    /** A WebAssembly module, in Base64. */
    WASM {
        @Override
        Interpreter interpreter(BoundedOutput written) {
            return new Wasm(written);
        }
    };

    abstract Interpreter interpreter(BoundedOutput written);
}
