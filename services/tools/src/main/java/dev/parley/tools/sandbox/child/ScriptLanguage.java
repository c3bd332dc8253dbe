package dev.parley.tools.sandbox.child;

/** The languages of scripts. */
public enum ScriptLanguage {
    /** A script is the body of a function of {@code args}. */
    JAVASCRIPT {
        @Override
        ScriptInterpreter interpreter(BoundedOutput output) {
            return new Polyglot(Syntax.JAVASCRIPT, output);
        }
    },
    /** A script is the body of a function of {@code args}. */
    PYTHON {
        @Override
        ScriptInterpreter interpreter(BoundedOutput output) {
            return new Polyglot(Syntax.PYTHON, output);
        }
    },
    /** A WebAssembly module, in Base64. */
    WASM {
        @Override
        ScriptInterpreter interpreter(BoundedOutput output) {
            return new Wasm(output);
        }
    };

    abstract ScriptInterpreter interpreter(BoundedOutput output);
}
