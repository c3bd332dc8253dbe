package dev.parley.server;

import dev.parley.domain.definition.Agent;
import dev.parley.platform.config.ParleyConfig;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code parley dev}: everything in one process, with an embedded broker and database. */
@Command(
        name = "dev",
        mixinStandardHelpOptions = true,
        description = "Starts everything in one process: broker, database, all roles. Data stays in ./data.")
final class DevCommand implements Callable<Integer> {
    @ParentCommand
    private Parley parent;

    @Override
    public Integer call() throws InterruptedException {
        long start = System.nanoTime();
        ParleyConfig config = parent.config();
        System.out.println("Starting Parley, data in " + config.data() + " ...");
        Instance instance = Instance.start(config);
        RunCommand.closeAtExit(instance);
        printSummary(config, instance, (System.nanoTime() - start) / 1_000_000);
        new CountDownLatch(1).await();
        return 0;
    }

    private static void printSummary(ParleyConfig config, Instance instance, long millis) {
        System.out.printf("Ready in %.1f s.%n%n", millis / 1000.0);
        if (config.port() != 0 && config.port() != instance.port()) {
            System.out.printf("Port %d is taken, so this is port %d.%n", config.port(), instance.port());
        }
        System.out.println("  URL    " + instance.url());
        System.out.println("  Key    " + key(config, instance));
        instance.firstAdministratorCode()
                .ifPresent(code -> System.out.println("  Start  " + firstPage(config, instance, code)));
        System.out.println("  Chat   ./parley chat        (in another terminal)");
        System.out.println("  Stop   Ctrl-C\n");
        boolean scripted = config.agents().stream()
                .anyMatch(agent ->
                        agent.name().equals(Agent.DEFAULT) && agent.provider().equals("scripted"));
        if (scripted) {
            System.out.println("The default agent uses the scripted model: it is deterministic and no language model.");
        }
        if (config.embedsKafka()) {
            System.out.println(
                    "The embedded broker keeps one copy of the data: it survives a killed process, not a lost disk.");
        }
    }

    /** The page on which the first administrator registers, with the code, or where that is. */
    private static String firstPage(ParleyConfig config, Instance instance, String code) {
        String page = instance.url() + "/#first=";
        return isTerminal()
                ? page + code + "   (creates the first administrator)"
                : page + "CODE creates the first administrator; the code is in "
                        + config.data().resolve(Instance.FIRST_ADMINISTRATOR);
    }

    private static boolean isTerminal() {
        return System.console() != null && System.console().isTerminal();
    }

    /** The key, or where it is: others may read redirected output. */
    private static String key(ParleyConfig config, Instance instance) {
        if (config.adminKey() != null) {
            return "the one in PARLEY_ADMIN_KEY";
        }
        return isTerminal() ? instance.adminKey() : "in " + config.data().resolve("admin.key");
    }
}
