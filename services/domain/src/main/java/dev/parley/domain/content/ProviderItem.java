package dev.parley.domain.content;

import java.util.Objects;

/**
 * One item exactly as a provider sent it, to be sent back to the same provider byte for byte, and to no other.
 *
 * @param provider the provider family that understands it, for example {@code openai}
 * @param type the provider's own name for the kind of item, for example {@code web_search_call}
 * @param json the item's text, never parsed and printed again
 */
public record ProviderItem(String provider, String type, String json) {
    public ProviderItem {
        Objects.requireNonNull(provider, "provider");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(json, "json");
    }
}
