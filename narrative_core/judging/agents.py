"""What tells the agents of a judge apart: a temperature and a seed each.

References
----------
Paper 1 of the reference ("LLM judges for narrative coherence"), section 3.4: K agents at temperatures from 0.3 to 0.7.
"""

from typing import Final

from narrative_core.errors import InvalidInput
from narrative_core.judgements import HIGHEST_TEMPERATURE, LOWEST_TEMPERATURE

_FIRST_SEED: Final = 1001


def agent_temperature(agent: int, n_agents: int) -> float:
    """Return the temperature of one of K agents: evenly spread from 0.3 to 0.7, and 0.5 for a single one.

    Parameters
    ----------
    agent : int
        From 0 to ``n_agents`` − 1.
    n_agents : int
        K, at least 1.

    Raises
    ------
    InvalidInput
        If there is no such agent.

    Notes
    -----
    Rounded to four decimals, so that the number that is sent, stored and compared is one and the same.

    Examples
    --------
    >>> [agent_temperature(agent, 3) for agent in range(3)]
    [0.3, 0.5, 0.7]
    """
    if not 0 <= agent < n_agents:
        raise InvalidInput(f"agents of a judge are counted from 0 to {n_agents - 1}; got {agent}.")
    if n_agents == 1:
        return round((LOWEST_TEMPERATURE + HIGHEST_TEMPERATURE) / 2, 4)
    step = (HIGHEST_TEMPERATURE - LOWEST_TEMPERATURE) / (n_agents - 1)
    return round(LOWEST_TEMPERATURE + agent * step, 4)


def agent_seed(agent: int) -> int:
    """Return the seed of an agent: always the same, and its own.

    Raises
    ------
    InvalidInput
        If ``agent`` is negative.

    Examples
    --------
    >>> agent_seed(0), agent_seed(2)
    (1001, 1003)
    """
    if agent < 0:
        raise InvalidInput(f"agents of a judge are counted from 0; got {agent}.")
    return _FIRST_SEED + agent
