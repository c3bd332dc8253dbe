package dev.parley.channels.a2a;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.domain.definition.Skill;
import java.util.List;

/** Agent cards, in the format of each version. */
final class AgentCards {
    private static final String JSON_RPC = "JSONRPC";

    private AgentCards() {}

    /**
     * The card of an agent.
     *
     * @param url of the agent
     * @param skills of the agent
     */
    static ObjectNode card(
            A2aVersion dialect, String name, String version, String description, String url, List<Skill> skills) {
        String described = description.isBlank() ? "The agent %s.".formatted(name) : description;
        ObjectNode card = ProtocolJson.object()
                .put("name", name)
                .put("description", described)
                .put("version", version);
        switch (dialect) {
            case V0_3 -> first(card, url);
            case V1_0 -> second(card, url);
        }
        card.putArray("defaultInputModes")
                .add("text/plain")
                .add("application/json")
                .add("application/octet-stream");
        card.putArray("defaultOutputModes").add("text/plain");
        ArrayNode skillArray = card.putArray("skills");
        skill(skillArray, name, name, described, List.of());
        skills.forEach(
                skill -> skill(skillArray, "skill:" + skill.name(), skill.name(), skill.description(), skill.tags()));
        return card;
    }

    private static void skill(ArrayNode skillArray, String id, String name, String description, List<String> tags) {
        ObjectNode skill = skillArray
                .addObject()
                .put("id", id)
                .put("name", name)
                .put("description", description.isBlank() ? name : description);
        ArrayNode tagArray = skill.putArray("tags");
        (tags.isEmpty() ? List.of("agent") : tags).forEach(tagArray::add);
    }

    private static void first(ObjectNode card, String url) {
        card.put("protocolVersion", "0.3.0")
                .put("url", url)
                .put("preferredTransport", JSON_RPC)
                .put("supportsAuthenticatedExtendedCard", false);
        card.putArray("additionalInterfaces").addObject().put("url", url).put("transport", JSON_RPC);
        card.putObject("capabilities")
                .put("streaming", true)
                .put("pushNotifications", false)
                .put("stateTransitionHistory", false);
        card.putObject("securitySchemes")
                .putObject("bearer")
                .put("type", "http")
                .put("scheme", "bearer");
        card.putArray("security").addObject().putArray("bearer");
    }

    private static void second(ObjectNode card, String url) {
        ArrayNode interfaces = card.putArray("supportedInterfaces");
        by(interfaces, url, JSON_RPC, "1.0");
        by(interfaces, url, "HTTP+JSON", "1.0");
        by(interfaces, url, JSON_RPC, "0.3");
        card.putObject("capabilities")
                .put("streaming", true)
                .put("pushNotifications", false)
                .put("extendedAgentCard", false);
        card.putObject("securitySchemes")
                .putObject("bearer")
                .putObject("httpAuthSecurityScheme")
                .put("scheme", "Bearer");
        card.putArray("securityRequirements")
                .addObject()
                .putObject("schemes")
                .putObject("bearer")
                .putArray("list");
    }

    private static void by(ArrayNode interfaces, String url, String binding, String version) {
        interfaces.addObject().put("url", url).put("protocolBinding", binding).put("protocolVersion", version);
    }
}
