/** Who may use what tools and workflows can reach, for administrators of the installation. */
@NullMarked
package dev.parley.control.powers;

import org.jspecify.annotations.NullMarked;
