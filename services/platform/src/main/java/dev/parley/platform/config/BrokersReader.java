package dev.parley.platform.config;

import dev.parley.platform.config.BrokersConfig.Broker;
import dev.parley.platform.config.BrokersConfig.MappedTopic;
import dev.parley.platform.config.ConfigFile.BrokerSection;
import dev.parley.platform.config.ConfigFile.MappedTopicSection;
import dev.parley.platform.config.ConfigFile.WorkflowsSection;
import dev.parley.platform.config.secret.BrokerSecrets;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.kafka.Topics;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the brokers and topics that workflows may use. */
final class BrokersReader {
    private static final Pattern SERVER = Pattern.compile("(?:[a-z0-9._-]{1,253}|\\[[0-9a-f:.]{2,45}]):[1-9]\\d{0,4}");
    private static final int MOST = 50;
    private static final int LONGEST = 1_000;

    /** Client settings that only the server sets. */
    private static final Set<String> RESERVED =
            Set.of("bootstrap.servers", "group.id", "group.instance.id", "client.id", "enable.auto.commit");

    private BrokersReader() {}

    static BrokersConfig brokers(WorkflowsSection section) {
        var brokers = new ArrayList<Broker>();
        for (@Nullable BrokerSection item : orEmpty("workflows.kafka", section.kafka())) {
            brokers.add(broker("workflows.kafka[" + brokers.size() + "]", item, brokers));
        }
        var topics = new ArrayList<MappedTopic>();
        for (@Nullable MappedTopicSection item : orEmpty("workflows.topics", section.topics())) {
            topics.add(topic("workflows.topics[" + topics.size() + "]", item, brokers));
        }
        if (topics.stream()
                        .map(topic ->
                                List.of(topic.topic(), String.valueOf(topic.project()), String.valueOf(topic.broker())))
                        .distinct()
                        .count()
                < topics.size()) {
            throw new ConfigException("workflows.topics", "has a topic twice for one project");
        }
        return new BrokersConfig(brokers, topics);
    }

    private static <T extends @Nullable Object> List<T> orEmpty(String path, @Nullable List<T> list) {
        List<T> items = list == null ? List.of() : list;
        if (items.size() > MOST) {
            throw new ConfigException(path, "has at most " + MOST + " items");
        }
        return items;
    }

    private static Broker broker(String path, @Nullable BrokerSection section, List<Broker> others) {
        if (section == null || section.servers() == null) {
            throw new ConfigException(path + ".servers", "is needed: such as broker.example.com:9092");
        }
        List<String> servers = servers(path + ".servers", section.servers());
        for (Broker other : others) {
            if (other.servers().stream().anyMatch(servers::contains)) {
                throw new ConfigException(path + ".servers", "has a server that is in another item already");
            }
        }
        Map<String, String> properties = section.properties() == null ? Map.of() : section.properties();
        properties.forEach((name, value) -> property(path + ".properties." + name, name, value));
        return new Broker(servers, properties);
    }

    private static List<String> servers(String path, String text) {
        var servers = new ArrayList<String>();
        for (String item : text.split(",")) {
            String server = item.strip().toLowerCase(Locale.ROOT);
            if (!SERVER.matcher(server).matches()) {
                throw new ConfigException(path, "has host:port, several with commas between, not '" + item + "'");
            }
            servers.add(server);
        }
        return servers;
    }

    private static void property(String path, String name, @Nullable String value) {
        if (value == null || RESERVED.contains(name)) {
            throw new ConfigException(path, value == null ? "is a text" : "is set by the server");
        }
        boolean secret = name.endsWith("password") || name.equals("sasl.jaas.config");
        if (secret && BrokerSecrets.references(value).isEmpty()) {
            throw new ConfigException(
                    path, "has a secret, which is written as a reference (" + Secrets.FORMS + "), never as itself");
        }
    }

    private static MappedTopic topic(String path, @Nullable MappedTopicSection section, List<Broker> brokers) {
        String name = section == null ? null : section.topic();
        if (section == null || name == null || !Topics.isName(name)) {
            throw new ConfigException(path + ".topic", "is the name of a topic, such as orders");
        }
        if (Topics.isOwn(name)) {
            throw new ConfigException(path + ".topic", "'" + name + "' is one of Parley's own");
        }
        String type = section.type();
        if (type == null || type.isBlank() || type.length() > LONGEST) {
            throw new ConfigException(path + ".type", "is needed: the type of the events, such as com.example.order");
        }
        Broker broker = section.servers() == null ? null : requireListed(path + ".servers", section.servers(), brokers);
        String standard =
                "kafka:" + (broker == null ? "" : "//" + broker.servers().getFirst() + "/") + name;
        String source = section.source() == null ? standard : section.source();
        if (source.isBlank() || source.length() > LONGEST) {
            throw new ConfigException(path + ".source", "is a URI of at most " + LONGEST + " characters");
        }
        return new MappedTopic(name, section.project(), type, source, broker);
    }

    private static Broker requireListed(String path, String text, List<Broker> brokers) {
        var servers = new HashSet<>(servers(path, text));
        return brokers.stream()
                .filter(broker -> broker.servers().containsAll(servers))
                .findFirst()
                .orElseThrow(() -> new ConfigException(path, "is none of those in workflows.kafka: list it there"));
    }
}
