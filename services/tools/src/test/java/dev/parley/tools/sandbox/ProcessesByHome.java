package dev.parley.tools.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;

/** Finds the running processes of a command by its home folder. */
public final class ProcessesByHome {
    private ProcessesByHome() {}

    /** Checks that a running process is found: otherwise none would be found that was left. */
    public static void check(Path home) throws IOException {
        var command = new ProcessBuilder("sleep", "600");
        command.environment().put("HOME", home.toString());
        Process sleep = command.start();
        try {
            Awaitility.await().until(() -> count(home.toString()) == 1);
        } finally {
            sleep.destroy();
        }
    }

    /** Number of running processes with this home. */
    public static long count(String home) {
        return ProcessHandle.allProcesses()
                .filter(process -> environment(process).contains("HOME=" + home + "\0"))
                .count();
    }

    private static String environment(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) { // it has ended, or is another user's
            return "";
        }
    }
}
