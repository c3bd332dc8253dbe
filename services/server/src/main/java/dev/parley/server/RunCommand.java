package dev.parley.server;

import dev.parley.platform.config.ConfigException;
import dev.parley.platform.config.ParleyConfig;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code parley run}: all or some roles with an external broker and database. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = "Runs all or some roles with the broker and database of PARLEY_KAFKA and PARLEY_POSTGRES.")
final class RunCommand implements Callable<Integer> {
    @ParentCommand
    private Parley parent;

    @Override
    public Integer call() throws InterruptedException {
        ParleyConfig config = parent.config();
        if (config.embedsKafka() || config.embedsPostgres()) {
            throw new ConfigException(
                    config.embedsKafka() ? "PARLEY_KAFKA" : "PARLEY_POSTGRES",
                    "'run' requires it; 'parley dev' starts its own broker and database");
        }
        Instance instance = Instance.start(config);
        closeAtExit(instance);
        System.out.println("Ready at " + instance.url());
        new CountDownLatch(1).await();
        return 0;
    }

    static void closeAtExit(Instance instance) {
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("shutdown").unstarted(() -> stop(instance)));
    }

    private static void stop(Instance instance) {
        try {
            instance.drain();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            instance.close();
        }
    }
}
