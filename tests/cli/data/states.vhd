-- SPDX-License-Identifier: MIT
-- states.ghw is a run of this: ghdl -a states.vhd && ghdl -r states --wave=states.ghw
entity states is
end entity;

architecture sim of states is
    type state_t is (IDLE, FETCH, WAIT_BUS, DONE);
    signal clk   : bit := '0';
    signal state : state_t := IDLE;
    signal busy  : boolean := false;
begin
    clock : process
    begin
        for i in 0 to 11 loop
            clk <= '0';
            wait for 5 ns;
            clk <= '1';
            wait for 5 ns;
        end loop;
        wait;
    end process;

    step : process (clk)
        variable n : natural := 0;
    begin
        if clk'event and clk = '1' then
            case state is
                when IDLE     => state <= FETCH;
                when FETCH    => state <= WAIT_BUS;
                when WAIT_BUS =>
                    n := n + 1;
                    if n mod 3 = 0 then state <= DONE; end if;
                when DONE     => state <= IDLE;
            end case;
            busy <= state = FETCH or state = WAIT_BUS;
        end if;
    end process;
end architecture;
