// What a script of a workflow runs in: as in a program, with standard input and output, and without files and network.
let stdout = '', stderr = '', code = 0;
const shown = all => all.map(one => typeof one === 'string' ? one
    : one !== null && typeof one === 'object' ? JSON.stringify(one) : String(one)).join(' ') + '\n';
class Exit {
    constructor(code) { this.code = code; }
}
const modules = {
    fs: { readFileSync: from => {
        if (from === 0 || from === '/dev/stdin') {
            return args.stdin;
        }
        throw new Error('there are no files here');
    } },
    process: {
        argv: ['script', 'script.js', ...args.arguments],
        env: args.environment,
        stdin: { fd: 0 },
        stdout: { write: text => { stdout += text; } },
        stderr: { write: text => { stderr += text; } },
        exit: code => { throw new Exit(code ?? 0); },
    },
    console: Object.fromEntries([
        ...['log', 'info', 'debug'].map(name => [name, (...all) => { stdout += shown(all); }]),
        ...['warn', 'error'].map(name => [name, (...all) => { stderr += shown(all); }]),
    ]),
};
const require = name => {
    const found = modules[name.replace(/^node:/, '')];
    if (found === undefined) {
        throw new Error(`there is no module '${name}' here`);
    }
    return found;
};
try {
    (function (console, process, require) {
/* CODE */
    })(modules.console, modules.process, require);
} catch (e) {
    code = e instanceof Exit ? e.code : 1;
    stderr += e instanceof Exit ? '' : `${e}\n`;
}
return { stdout, stderr, code };
