package dev.parley.server;

import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.TopicAdmin;
import dev.parley.platform.kafka.Topics;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code parley topics}: creates, checks and prints the topics. */
@Command(
        name = "topics",
        mixinStandardHelpOptions = true,
        description =
                "Creates the topics that are missing, checks those that are there, and prints them all; or tells how other"
                        + " programs reach them (--client).")
final class TopicsCommand implements Callable<Integer> {
    @ParentCommand
    private Parley parent;

    @Option(
            names = "--client",
            paramLabel = "FORM",
            description = "prints only the settings, with the password, by which another program reaches the brokers or"
                    + " the database: ${COMPLETION-CANDIDATES}")
    private ClientSettings.@Nullable Form client;

    @Override
    public Integer call() {
        ParleyConfig config = parent.config();
        if (client == null) {
            return check(config);
        }
        try (Infrastructure infrastructure = Infrastructure.of(config)) {
            System.out.println(ClientSettings.text(client, infrastructure.clients(), infrastructure.ownerLogin()));
            return 0;
        }
    }

    private static int check(ParleyConfig config) {
        try (Infrastructure infrastructure = Infrastructure.of(config);
                var admin = infrastructure.clients().admin("topics")) {
            var topics = new TopicAdmin(admin, config.partitions(), config.replicas());
            topics.createMissing().forEach(name -> System.out.println("created " + name));
            for (Topic<?> topic : Topics.all()) {
                String retention = topic.retention() == null
                        ? "until erased"
                        : topic.retention().toString().substring(1).toLowerCase(java.util.Locale.ROOT);
                System.out.printf(
                        "%-16s key %-16s %-8s kept %s%n",
                        topic.name(),
                        topic.key(),
                        topic.cleanup().name().toLowerCase(java.util.Locale.ROOT),
                        retention);
            }
            var differences = topics.differences();
            differences.forEach(System.out::println);
            return differences.isEmpty() ? 0 : 1;
        }
    }
}
