package dev.parley.platform.config;

import dev.parley.channels.contract.BotKind;
import dev.parley.domain.document.Fault;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.config.bot.BotDocuments;
import dev.parley.platform.config.bot.BotKinds;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.document.InvalidDocumentException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the bots of {@code parley.yml}. A bot whose token is in {@code TELEGRAM_BOT_TOKEN} needs no file. */
final class BotReader {
    private static final String BOT_TOKEN = "TELEGRAM_BOT_TOKEN";
    private static final String BOT_SECRET = "TELEGRAM_WEBHOOK_SECRET";
    private static final String TOKEN = "token";
    private static final String SECRETS = "secrets";

    /** Fields that only some sections have. */
    private static final Set<String> SPECIAL =
            Set.of("kind", TOKEN, SECRETS, "url", "webhook", "webhookSecret", "webhookFrom", "settings");

    private final Map<String, String> environment;

    BotReader(Map<String, String> environment) {
        this.environment = environment;
    }

    /** A section of the file: its key, the kind of its bots, or null where they name it, and its special fields. */
    private enum Section {
        TELEGRAM("telegram", "telegram", "token", "apiUrl=url", "webhook", "webhookSecret", "webhookFrom"),
        SLACK(
                "slack",
                "slack",
                "token",
                "appToken=secrets.appToken",
                "signingSecret=secrets.signingSecret",
                "apiUrl=url"),
        WHATSAPP(
                "whatsapp",
                "whatsapp",
                "token",
                "phoneNumberId=settings.phoneNumberId",
                "template=settings.template",
                "appSecret=secrets.appSecret",
                "verifyToken=secrets.verifyToken",
                "apiUrl=url"),
        TEAMS("teams", "teams", "token", "appId=settings.appId", "tenant=settings.tenant", "apiUrl=url"),
        WEBHOOKS("webhooks", "webhook", "url", "secret=token"),
        DISCORD("discord", "discord", "token", "apiUrl=url"),
        BOTS("bots", null, "kind", "token", "settings");

        private final String key;
        private final @Nullable String kind;
        /** The paths in a document of the fields that have another name there, or are special. */
        private final Map<String, String> paths = new LinkedHashMap<>();

        Section(String key, @Nullable String kind, String... special) {
            this.key = key;
            this.kind = kind;
            for (String field : special) {
                paths.put(field.replaceFirst("=.*", ""), field.replaceFirst(".*=", ""));
            }
        }

        private List<String> known() {
            var known = new ArrayList<>(BotDocuments.fields());
            known.removeAll(SPECIAL);
            known.addAll(paths.keySet());
            return known;
        }

        /** The document of an entry. */
        private Map<String, @Nullable Object> document(Map<?, ?> entry, List<Fault> faults) {
            List<String> known = known();
            var document = new LinkedHashMap<String, @Nullable Object>();
            var inner = new TreeMap<String, Map<String, Object>>();
            entry.forEach((field, value) -> {
                String name = String.valueOf(field);
                String path = paths.getOrDefault(name, name);
                if (!known.contains(name)) {
                    faults.add(Fault.unknown(name, known));
                } else if (path.indexOf('.') < 0) {
                    document.put(path, value);
                } else if (value != null) {
                    String[] steps = path.split("\\.", 2);
                    inner.computeIfAbsent(steps[0], _ -> new TreeMap<>()).put(steps[1], value);
                }
            });
            document.putAll(inner);
            return document;
        }

        /** A fault in a document as one in the entry, which may have the field by another name. */
        private Fault inEntry(Fault fault) {
            return paths.entrySet().stream()
                    .filter(path -> (path.getValue() + ".").startsWith(fault.field() + "."))
                    .findFirst()
                    .map(path -> new Fault(path.getKey(), fault.problem()))
                    .orElse(fault);
        }
    }

    List<BotConfig> bots(ConfigFile file) {
        var bots = new ArrayList<BotConfig>();
        read(Section.TELEGRAM, withVariables(orEmpty(file.telegram())), bots);
        read(Section.SLACK, orEmpty(file.slack()), bots);
        read(Section.WHATSAPP, orEmpty(file.whatsapp()), bots);
        read(Section.TEAMS, orEmpty(file.teams()), bots);
        read(Section.WEBHOOKS, orEmpty(file.webhooks()), bots);
        read(Section.DISCORD, orEmpty(file.discord()), bots);
        read(Section.BOTS, orEmpty(file.bots()), bots);
        return bots;
    }

    private static List<@Nullable Object> orEmpty(@Nullable List<@Nullable Object> entries) {
        return entries == null ? List.of() : entries;
    }

    /** The entries of Telegram, with what the environment sets in the first one. */
    private List<@Nullable Object> withVariables(List<@Nullable Object> entries) {
        Object written =
                entries.isEmpty() && isSet(BOT_TOKEN) ? Map.of() : entries.isEmpty() ? null : entries.getFirst();
        if (!(written instanceof Map<?, ?> entry)) {
            return entries;
        }
        var first = new LinkedHashMap<Object, @Nullable Object>(entry);
        if (isSet(BOT_TOKEN)) {
            first.putIfAbsent(TOKEN, "env:" + BOT_TOKEN);
        }
        if (isSet(BOT_SECRET)) {
            first.putIfAbsent("webhookSecret", "env:" + BOT_SECRET);
        }
        Map.of("TELEGRAM_WEBHOOK_URL", "webhook", "TELEGRAM_API_URL", "apiUrl").forEach((variable, field) -> {
            if (isSet(variable)) {
                first.put(field, environment.get(variable));
            }
        });
        if (isSet("TELEGRAM_ALLOWED_USERS")) {
            String users = environment.getOrDefault("TELEGRAM_ALLOWED_USERS", "");
            first.put("allowedUsers", List.of(users.strip().split("\\s*,\\s*")));
        }
        var all = new ArrayList<@Nullable Object>(entries.subList(entries.isEmpty() ? 0 : 1, entries.size()));
        all.addFirst(first);
        return all;
    }

    private boolean isSet(String variable) {
        String value = environment.get(variable);
        return value != null && !value.isBlank();
    }

    private static void read(Section section, List<@Nullable Object> entries, List<BotConfig> bots) {
        for (int i = 0; i < entries.size(); i++) {
            String path = section.key + "[" + i + "]";
            BotConfig bot = read(section, path, entries.get(i));
            if (bots.stream().anyMatch(other -> other.name().equals(bot.name()))) {
                throw new ConfigException(path + ".name", "there are two bots called '" + bot.name() + "'");
            }
            bots.add(bot);
        }
    }

    /** Kinds of plug-ins are not looked up: only processes with the role channels load plug-ins. */
    private static BotConfig read(Section section, String path, @Nullable Object entry) {
        if (!(entry instanceof Map<?, ?> fields)) {
            throw new ConfigException(path, "must be an object");
        }
        var faults = new ArrayList<Fault>();
        Map<String, @Nullable Object> document = section.document(fields, faults);
        BotKind kind = section.kind == null ? null : BotKinds.find(section.kind).orElse(null);
        if (section.kind == null) {
            ofPlugin(path, document);
        } else {
            document.put("kind", section.kind);
            if (section != Section.WEBHOOKS) {
                document.putIfAbsent("name", section.kind);
            }
            if (document.get(TOKEN) == null) {
                faults.add(new Fault(TOKEN, Fault.MISSING));
            }
        }
        addLiteralKeys(document, faults);
        try {
            BotConfig bot = BotDocuments.read(document, kind, faults);
            return section.kind == null ? bot.withApiUrl(BotConfig.ofPlugin(bot.kind())) : bot;
        } catch (InvalidDocumentException e) {
            throw ConfigException.of(
                    path, e.faults().stream().map(section::inEntry).toList());
        }
    }

    /** A bot of a plug-in has secrets by the names of its settings. */
    private static void ofPlugin(String path, Map<String, @Nullable Object> document) {
        for (Section other : Section.values()) {
            if (other.kind != null && other.kind.equals(document.get("kind"))) {
                throw new ConfigException(
                        path + ".kind",
                        "is for channels of plug-ins: %s has the section '%s'".formatted(other.kind, other.key));
            }
        }
        document.putIfAbsent("settings", Map.of());
        if (document.get("settings") instanceof Map<?, ?> settings) {
            var secrets = new LinkedHashMap<Object, @Nullable Object>(settings);
            secrets.values().removeIf(value -> !isReference(value));
            document.put(SECRETS, secrets);
        }
    }

    private static boolean isReference(@Nullable Object value) {
        return Secrets.REFERENCE.matcher(String.valueOf(value)).matches();
    }

    /** Refuses literal keys, since files have many readers. */
    private static void addLiteralKeys(Map<String, @Nullable Object> document, List<Fault> faults) {
        for (String field : List.of(TOKEN, "webhookSecret")) {
            if (document.get(field) != null && !isReference(document.get(field))) {
                faults.add(new Fault(field, Secrets.FORM));
            }
        }
        if (document.get(SECRETS) instanceof Map<?, ?> secrets) {
            secrets.forEach((name, secret) -> {
                if (!isReference(secret)) {
                    faults.add(new Fault(SECRETS + "." + name, Secrets.FORM));
                }
            });
        }
    }
}
