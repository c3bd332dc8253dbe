package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.embedded.EmbeddedPostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** {@code parley dev} or another command, in its own process, which can be killed. */
final class ParleyProcess implements AutoCloseable {
    private static final Duration READY = Duration.ofSeconds(90);
    private static final Path TARGET = Path.of("target").toAbsolutePath();

    private final Path data;
    private final Process process;

    private ParleyProcess(Path data, Process process) {
        this.data = data;
        this.process = process;
    }

    static ParleyProcess start(Path data) {
        return start(data, Map.of());
    }

    /** @param environment variables in addition to those of this process */
    static ParleyProcess start(Path data, Map<String, String> environment) {
        return start(data, environment, List.of("dev"));
    }

    /** @param arguments the command, with its own options */
    static ParleyProcess start(Path data, Map<String, String> environment, List<String> arguments) {
        try {
            Files.deleteIfExists(data.resolve("runtime.json"));
            boolean debugged = environment.getOrDefault("JAVA_TOOL_OPTIONS", "").contains(Debugger.OPTION);
            var command = new ArrayList<>(List.of(
                    ProcessHandle.current().info().command().orElse("java"),
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-Xmx768m",
                    "-XX:TieredStopAtLevel=1", // the process is short-lived
                    "-XX:+UseSerialGC",
                    "-XX:+ExitOnOutOfMemoryError",
                    // Written by the first process that ends in order, not by one with a debugger or agent; it
                    // halves the start-up time.
                    "-XX:%sAutoCreateSharedArchive"
                            .formatted(debugged || !coverage().isEmpty() ? "-" : "+"),
                    "-XX:SharedArchiveFile=" + TARGET.resolve("parley-tests.jsa"),
                    "-D" + EmbeddedPostgresServer.PROGRAMS + "="
                            + System.getProperty(EmbeddedPostgresServer.PROGRAMS, data.toString()),
                    "-D" + EmbeddedPostgresServer.SYNC + "=off",
                    "-cp",
                    classPath(),
                    "dev.parley.server.Parley"));
            command.addAll(arguments);
            command.addAll(List.of("--data", data.toString(), "--port", "0"));
            command.addAll(1, coverage());
            var builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            data.resolveSibling(data.getFileName() + ".log").toFile()));
            if (!environment.containsKey("PARLEY_KAFKA")) {
                builder.environment().putAll(Instances.servers(data));
            }
            builder.environment().putAll(environment);
            var started = new ParleyProcess(data, builder.start());
            started.awaitReady();
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The coverage agent of this JVM with {@code -Pcoverage}, otherwise nothing. */
    private static List<String> coverage() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("-javaagent:"))
                .toList();
    }

    /** The class path of this JVM; an archive of classes takes jars only, so test classes come from their jar. */
    static String classPath() {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Path jar = TARGET.resolve("parley-acceptance-tests.jar");
        return Files.exists(jar)
                ? classPath.replace(TARGET.resolve("test-classes").toString(), jar.toString())
                : classPath;
    }

    private void awaitReady() throws IOException {
        try {
            Awaitility.await().atMost(READY).pollInterval(Duration.ofMillis(50)).until(() -> {
                if (!process.isAlive()) {
                    throw new AssertionError("Parley ended with " + process.exitValue() + ":\n" + log());
                }
                return Files.exists(data.resolve("runtime.json"))
                        && !Files.readString(data.resolve("runtime.json")).isBlank();
            });
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("Parley is not ready after " + READY + ":\n" + logWithThreads(), e);
        }
    }

    /** The log, with a dump of all threads. */
    private String logWithThreads() throws IOException {
        new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start();
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .ignoreExceptions()
                .until(() -> log().contains("Full thread dump") && log().contains("JNI global refs"));
        return log();
    }

    /** The log of this process and of earlier ones with the same data. */
    String log() throws IOException {
        return Files.readString(data.resolveSibling(data.getFileName() + ".log"));
    }

    Api api() {
        try {
            JsonNode runtime = new ObjectMapper().readTree(Files.readString(data.resolve("runtime.json")));
            Path key = data.resolve("admin.key");
            return new Api(
                    runtime.get("url").asText(),
                    Files.exists(key) ? Files.readString(key).strip() : Servers.KEY);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the process has ended by itself; returns its exit code. */
    int ended(Duration timeout) {
        return process.onExit()
                .orTimeout(timeout.toSeconds(), TimeUnit.SECONDS)
                .join()
                .exitValue();
    }

    /** SIGKILL: no hook runs, nothing is flushed. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** SIGSTOP: the process is frozen, and its connections stay open without an answer. */
    void pause() {
        signal("STOP");
    }

    /** SIGCONT: the process continues. */
    void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            assertEquals(
                    0,
                    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                            .start()
                            .onExit()
                            .join()
                            .exitValue());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGTERM, without waiting for its end. */
    void terminate() {
        process.destroy();
    }

    /** SIGTERM, and waits for the end of the process. */
    void stop() {
        process.destroy();
        assertTrue(
                process.onExit()
                        .orTimeout(30, TimeUnit.SECONDS)
                        .handle((p, failure) -> failure == null)
                        .join(),
                "Parley did not stop within 30 s");
    }

    @Override
    public void close() {
        process.destroy();
        if (!process.onExit()
                .orTimeout(30, TimeUnit.SECONDS)
                .handle((p, failure) -> failure == null)
                .join()) {
            kill();
        }
    }
}
