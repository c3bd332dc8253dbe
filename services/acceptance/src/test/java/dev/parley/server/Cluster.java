package dev.parley.server;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;

/** Named processes that share one broker and one database; each can be killed and restarted unchanged. */
final class Cluster implements AutoCloseable {
    private final Path folder;
    private final Map<String, Member> members = new ConcurrentSkipListMap<>();

    /** The settings of a process, and the running one. */
    private record Member(Map<String, String> environment, List<String> command, ParleyProcess process) {}

    Cluster(Path folder) {
        this.folder = folder;
    }

    /** Starts processes with all roles: the first one creates topics and tables, then the others start together. */
    void startAll(List<String> names, Servers servers, int partitions, Map<String, String> extraEnvironment) {
        names.stream().limit(1).forEach(name -> start(name, servers, partitions, extraEnvironment));
        together(names.stream()
                .skip(1)
                .<Runnable>map(name -> () -> start(name, servers, partitions, extraEnvironment))
                .toList());
    }

    /** Runs tasks at once; returns when all are done. */
    static void together(List<Runnable> work) {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            work.stream()
                    .map(task -> CompletableFuture.runAsync(task, threads))
                    .toList()
                    .forEach(CompletableFuture::join);
        }
    }

    private void start(String name, Servers servers, int partitions, Map<String, String> extraEnvironment) {
        var environment = servers.environment(name, partitions);
        environment.putAll(extraEnvironment);
        start(name, environment, List.of("run"));
    }

    /**
     * Starts a process; returns when it is ready.
     *
     * @param command the arguments of its command line
     */
    void start(String name, Map<String, String> environment, List<String> command) {
        var process = ParleyProcess.start(folder.resolve(name), environment, command);
        members.put(name, new Member(environment, command, process));
    }

    /** Restarts a process that has ended. */
    void startAgain(String name) {
        Member member = members.get(name);
        start(name, member.environment(), member.command());
    }

    ParleyProcess process(String name) {
        return members.get(name).process();
    }

    Api api(String name) {
        return process(name).api();
    }

    List<String> names() {
        return List.copyOf(members.keySet());
    }

    @Override
    public void close() {
        together(members.values().stream()
                .<Runnable>map(member -> member.process()::close)
                .toList());
    }
}
