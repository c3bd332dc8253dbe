package dev.parley.tools.sandbox.child;

/** What can be run. */
public enum Language {
    /** The body of a function of {@code args}. */
    JAVASCRIPT {
        @Override
        Interpreter interpreter(BoundedOutput written) {
            return new Polyglot(Syntax.JAVASCRIPT, written);
        }
    },
    /** The body of a function of {@code args}. */
    PYTHON {
        @Override
        Interpreter interpreter(BoundedOutput written) {
            return new Polyglot(Syntax.PYTHON, written);
        }
    },
    /** A module of WebAssembly, in base 64. */
    WASM {
        @Override
        Interpreter interpreter(BoundedOutput written) {
            return new Wasm(written);
        }
    };

    abstract Interpreter interpreter(BoundedOutput written);
}
