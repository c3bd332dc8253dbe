package dev.parley.tools.checkout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.definition.ToolEffect;
import dev.parley.tools.Tool;
import dev.parley.tools.kind.Calls;
import dev.parley.tools.sandbox.ProcessesByHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands in a checkout. */
@Tag("I11")
class ShellToolTest {
    @TempDir
    Path folder;

    private CheckoutFixture fixture;

    @BeforeEach
    void make() throws IOException {
        fixture = new CheckoutFixture(folder);
    }

    private String shell(String command) {
        return fixture.says("shell", "{'command':'" + command + "'}");
    }

    @Test
    void runsInTheCheckoutAndReportsTheExitStatus() throws IOException {
        fixture.write("a.txt", "hello");

        assertEquals("hello\n" + fixture.root + "\n[exit status 0]", shell("cat a.txt; echo; pwd"));
        assertEquals("oh\n[exit status 3]", shell("echo oh >&2; exit 3"));
        assertEquals("[exit status 0]", shell("cat"), "there is no input");
    }

    @Test
    void runsWithACleanEnvironmentAndATemporaryHome() {
        String output = shell("env | cut -d= -f1 | sort | tr \\\"\\\\n\\\" \\\" \\\"; touch $HOME/x; echo; echo $HOME");

        String[] lines = output.split("\n");
        assertTrue(lines[0].replaceAll("\\b(PWD|OLDPWD|SHLVL|_) ", "").equals("HOME LANG PATH "), output);
        assertFalse(Files.exists(Path.of(lines[1])), output);
    }

    @Test
    void endsProcessesThatTheCommandLeftRunning() throws IOException {
        // Given
        ProcessesByHome.check(folder);

        // When
        String output = shell("(setsid sleep 600 & ); nohup sleep 601 >/dev/null 2>&1 & echo $HOME");

        // Then
        assertEquals(0, ProcessesByHome.count(output.lines().findFirst().orElseThrow()));
    }

    @Test
    void endsACommandAtItsTimeout() {
        String output = fixture.says("shell", "{'command':'echo begun; sleep 600','timeout_seconds':1}");

        assertEquals("begun\n[ended after 1 s; what it did until then is done]", output);
    }

    @Test
    void omitsTheMiddleOfALongOutput() {
        String output = shell("seq 1 100000");

        assertTrue(output.startsWith("1\n2\n3\n") && output.contains("bytes left out"), output.substring(0, 100));
        assertTrue(output.endsWith("\n99999\n100000\n[exit status 0]"), output.substring(output.length() - 100));
        assertTrue(output.length() < 40_000);
    }

    @Test
    void cancellationEndsTheCommand() throws Exception {
        // Given
        Tool shell = CheckoutTools.shell(fixture.checkouts);
        Path marker = fixture.root.resolve("begun");
        var thrown = new AtomicReference<Throwable>();
        var ended = new CountDownLatch(1);
        Thread call = Thread.ofVirtual().start(() -> {
            try {
                shell.run(Calls.call(), Calls.json("{'command':'echo $HOME > begun; sleep 600'}"));
            } catch (Exception e) {
                thrown.set(e);
            } finally {
                ended.countDown();
            }
        });
        Awaitility.await().until(() -> Files.exists(marker) && Files.size(marker) > 0);
        String home = Files.readString(marker).strip();
        assertTrue(ProcessesByHome.count(home) > 0);

        // When
        call.interrupt();
        ended.await();

        // Then
        assertThrows(InterruptedException.class, () -> {
            throw thrown.get();
        });
        assertEquals(0, ProcessesByHome.count(home));
        assertFalse(Files.exists(Path.of(home)));
        assertEquals(ToolEffect.AT_MOST_ONCE, shell.spec().effect());
    }
}
