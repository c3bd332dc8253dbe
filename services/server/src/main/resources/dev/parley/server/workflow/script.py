# What a script of a workflow runs in: as in a program, with standard input and output, and without files and network.
import io, os, sys, traceback
kept = sys.stdin, sys.stdout, sys.stderr, sys.argv
sys.stdin, sys.stdout, sys.stderr = io.StringIO(args['stdin']), io.StringIO(), io.StringIO()
sys.argv = ['script.py'] + args['arguments']
os.environ.update({name: str(value) for name, value in args['environment'].items()})
code = 0
try:
    exec(compile(args['code'], 'script.py', 'exec'), {'__name__': '__main__'})
except SystemExit as e:
    code = e.code if isinstance(e.code, int) else 0 if e.code is None else 1
except BaseException as e:
    sys.stderr.write(''.join(traceback.format_exception_only(type(e), e)))
    code = 1
ended = {'stdout': sys.stdout.getvalue(), 'stderr': sys.stderr.getvalue(), 'code': code}
sys.stdin, sys.stdout, sys.stderr, sys.argv = kept
return ended
